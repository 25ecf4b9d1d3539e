/** What went wrong in a model call, in words for a person, and whether trying again can help. */
import { isBridgeError } from '@skein/core/protocol/errors';

export interface ModelFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** What the server asked for, in milliseconds. */
  readonly retryAfterMs: number | null;
}

export const failureOf = (
  error: unknown,
  context: { readonly nowMs: number; readonly secret: string | null },
): ModelFailure => {
  if (isBridgeError(error))
    return { code: error.code, message: error.message, retryable: false, retryAfterMs: null };
  const status = statusOf(error);
  return {
    code: 'provider',
    message: clean(sentence(status, textOf(error)), context.secret),
    retryable: isRetryable(error, status),
    retryAfterMs: retryAfter(headersOf(error), context.nowMs),
  };
};

/** The stream ended without its end: the connection was cut, or it fell silent. */
export const cutOff = (message: string): ModelFailure => ({
  code: 'provider',
  message,
  retryable: true,
  retryAfterMs: null,
});

const member = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null && name in error
    ? (error as Record<string, unknown>)[name]
    : undefined;

const statusOf = (error: unknown): number | null => {
  const status = member(error, 'statusCode');
  // Below 400 the answer began well and broke later: that is a cut connection, not a refusal.
  return typeof status === 'number' && status >= 400 ? status : null;
};

const textOf = (error: unknown): string => {
  const text = member(error, 'message');
  const cause = member(member(error, 'cause'), 'message');
  const said = typeof text === 'string' && text !== '' ? text : String(error);
  return typeof cause === 'string' && cause !== '' && !said.includes(cause) ? `${said}: ${cause}` : said;
};

const sentence = (status: number | null, text: string): string => {
  if (status === 401 || status === 403) {
    return `The model endpoint refused the key (${status}): ${text}. Check the provider's key in the settings.`;
  }
  if (status === 404) return `The model endpoint does not know this model or address (404): ${text}`;
  if (status === 429) return `The model endpoint is busy or the quota is used up (429): ${text}`;
  if (status !== null && status >= 500) return `The model endpoint failed (${status}): ${text}`;
  return status === null
    ? `The model call failed: ${text}`
    : `The model endpoint refused the call (${status}): ${text}`;
};

const isRetryable = (error: unknown, status: number | null): boolean => {
  if (status !== null) return status === 408 || status === 409 || status === 429 || status >= 500;
  if (member(error, 'isRetryable') === true) return true;
  // A cut connection: undici says "terminated", "fetch failed", "other side closed".
  const text = `${textOf(error)} ${String(member(error, 'code'))} ${String(member(member(error, 'cause'), 'code'))}`;
  return /terminated|fetch failed|socket|closed|network|ECONN|EPIPE|ETIMEDOUT|UND_ERR|overloaded/i.test(text);
};

const headersOf = (error: unknown): Readonly<Record<string, unknown>> => {
  const headers = member(error, 'responseHeaders');
  return typeof headers === 'object' && headers !== null ? (headers as Record<string, unknown>) : {};
};

/** `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3). */
const retryAfter = (headers: Readonly<Record<string, unknown>>, nowMs: number): number | null => {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const value = headers['retry-after'];
  if (typeof value !== 'string') return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
};

const clean = (text: string, secret: string | null): string =>
  secret === null || secret.length < 4 ? text : text.replaceAll(secret, '[key]');
