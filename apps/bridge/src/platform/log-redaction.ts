/** Takes secrets out of a line of the log: those we know by value, and what looks like one. */
export interface Redactor {
  add(secret: string): void;
  redact(text: string): string;
}

const GONE = '[redacted]';
const MIN_SECRET_CHARS = 8;

/** Names of headers and fields whose value is a secret, and the shapes of well-known keys. */
const PATTERNS: readonly { readonly pattern: RegExp; readonly to: string }[] = [
  { pattern: /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, to: `$1 ${GONE}` },
  {
    pattern:
      /(\\?"?(?:authorization|x-api-key|x-goog-api-key|api[_-]?key|access[_-]?token|token|secret|password|cookie)\\?"?\s*[:=]\s*\\?"?)[^\s"\\,;}]{6,}/gi,
    to: `$1${GONE}`,
  },
  { pattern: /\b(sk|pk|rk)-[\w-]{16,}/g, to: GONE },
  { pattern: /\bAIza[\w-]{30,}/g, to: GONE },
  { pattern: /\b(gh[pousr]_|github_pat_|xox[abprs]-|glpat-|hf_|npm_)[\w-]{16,}/g, to: GONE },
  { pattern: /\bAKIA[0-9A-Z]{16}\b/g, to: GONE },
  { pattern: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g, to: GONE },
  { pattern: /([?&#](?:code|key|token|api_key)=)[^&\s"\\]{6,}/gi, to: `$1${GONE}` },
];

export const createRedactor = (): Redactor => {
  const secrets = new Set<string>();
  return {
    add(secret) {
      if (secret.length < MIN_SECRET_CHARS) return;
      secrets.add(secret);
      // The same text as it stands inside a JSON string.
      secrets.add(JSON.stringify(secret).slice(1, -1));
    },
    redact(text) {
      let clean = text;
      for (const secret of secrets) clean = clean.replaceAll(secret, GONE);
      for (const { pattern, to } of PATTERNS) clean = clean.replace(pattern, to);
      return clean;
    },
  };
};
