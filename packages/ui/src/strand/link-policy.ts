/**
 * Which links of a transcript may be followed. A transcript is written by models and by files of strangers:
 * only http, https and mailto pass, whatever the writing (TRAPS A54).
 */
export type SafeLink =
  | { readonly kind: 'web'; readonly href: string; readonly host: string }
  /** A path in the workspace, perhaps with a line: `src/a.ts:12` or `src/a.ts#L12`. */
  | { readonly kind: 'file'; readonly path: string; readonly line: number | null }
  | { readonly kind: 'blocked' };

const ALLOWED = new Set(['http:', 'https:', 'mailto:']);

export const safeLink = (href: string): SafeLink => {
  const file = fileOf(href);
  if (file !== null) return file;
  // Without a base: `//host` and `\\\\host` are no addresses of their own.
  const url = URL.parse(href);
  if (url === null || !ALLOWED.has(url.protocol)) return { kind: 'blocked' };
  // A password in an address is only there to mislead the eye.
  if (url.username !== '' || url.password !== '') return { kind: 'blocked' };
  const host = url.protocol === 'mailto:' ? decodeURIComponentSafe(url.pathname) : url.host;
  return host === '' ? { kind: 'blocked' } : { kind: 'web', href: url.href, host };
};

/** Whether a text already tells the host, so that it need not be said again. */
export const tellsHost = (text: string, host: string): boolean => {
  const plain = host.replace(/^www\./, '');
  return text.toLowerCase().includes(plain.toLowerCase());
};

/** A relative path without a scheme. `C:\x` and `javascript:x` both have a colon, so a colon must be `:line`. */
function fileOf(href: string): SafeLink | null {
  const match = /^(?!\/\/)([^\s:?#\\]{1,1000})(?::(\d{1,7})(?::\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)?$/.exec(
    href,
  );
  const path = match?.[1];
  if (match === null || path === undefined) return null;
  const line = match[2] ?? match[3];
  return { kind: 'file', path: decodeURIComponentSafe(path), line: line === undefined ? null : Number(line) };
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
