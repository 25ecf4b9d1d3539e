/**
 * One line of a strand or a journal: a JSON object whose last member, `sum`, is the CRC-32 of the bytes
 * before it. "Parses" and "complete" are different checks: a line that lost only its newline still parses
 * (TRAPS V14), and a flipped bit often does too.
 */
import { decodeUtf8, encodeUtf8 } from '../text/utf8.ts';
import { crc32, crc32Hex } from './crc32.ts';
import { isWithinDepth, MAX_JSON_DEPTH } from './json-depth.ts';

export type JsonObject = Record<string, unknown>;

export type DecodedJsonLine =
  /** `value` is without `sum`. */
  | { readonly kind: 'ok'; readonly value: JsonObject }
  /** The line ends too early: what a crash in a write leaves. */
  | { readonly kind: 'torn'; readonly reason: string }
  /** Whole, but not what was written. */
  | { readonly kind: 'corrupt'; readonly reason: string };

/** `,"sum":"` + 8 hex + `"}`. */
const SUM_PREFIX = encodeUtf8(',"sum":"');
const SUM_LENGTH = SUM_PREFIX.length + 10;
const QUOTE = 0x22;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACE = 0x7b;

/**
 * The bytes of one line, `\n` included. Lone surrogates become U+FFFD, for a provider refuses them for ever
 * after (TRAPS A39). Throws a RangeError when the value nests deeper than a reader accepts.
 */
export const encodeJsonLine = (value: object): Uint8Array<ArrayBuffer> => {
  if (!isWithinDepth(value)) throw new RangeError(`a line may nest ${MAX_JSON_DEPTH} levels deep at most`);
  const text = stringifyWellFormed('sum' in value ? { ...value, sum: undefined } : value);
  if (text.length < 3) throw new TypeError('a line holds an object with at least one member');
  const payload = encodeUtf8(text.slice(0, -1));
  const tail = encodeUtf8(`,"sum":"${crc32Hex(payload)}"}\n`);
  const line = new Uint8Array(payload.length + tail.length);
  line.set(payload);
  line.set(tail, payload.length);
  return line;
};

/** Reads one line, given without its `\n`. */
export const decodeJsonLine = (bytes: Uint8Array): DecodedJsonLine => {
  const sum = readSum(bytes);
  if (sum === null) return { kind: 'torn', reason: 'the line ends before its checksum' };
  const payload = bytes.subarray(0, bytes.length - SUM_LENGTH);
  if (crc32(payload) !== sum) return { kind: 'corrupt', reason: 'the checksum does not match' };
  const text = decodeUtf8(payload);
  if (text === null) return { kind: 'corrupt', reason: 'the line is not UTF-8' };
  const value = parseObject(`${text}}`);
  if (value === null) return { kind: 'corrupt', reason: 'the line is not a JSON object' };
  if (!isWithinDepth(value))
    return { kind: 'corrupt', reason: `nested deeper than ${MAX_JSON_DEPTH} levels` };
  return { kind: 'ok', value };
};

/** The number in the trailing `sum` member, or null when the line does not end with one. */
function readSum(bytes: Uint8Array): number | null {
  const start = bytes.length - SUM_LENGTH;
  if (start < 1 || bytes[0] !== OPEN_BRACE) return null;
  if (bytes[bytes.length - 1] !== CLOSE_BRACE || bytes[bytes.length - 2] !== QUOTE) return null;
  for (let index = 0; index < SUM_PREFIX.length; index += 1) {
    if (bytes[start + index] !== SUM_PREFIX[index]) return null;
  }
  let sum = 0;
  for (let index = start + SUM_PREFIX.length; index < bytes.length - 2; index += 1) {
    const digit = hexDigit(bytes[index] ?? 0);
    if (digit === null) return null;
    sum = sum * 16 + digit;
  }
  return sum;
}

function hexDigit(byte: number): number | null {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  if (byte >= 0x61 && byte <= 0x66) return byte - 0x57;
  return null;
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}

/** Since ES2019 `JSON.stringify` escapes lone surrogates, and only those: the escape is how they are found. */
function stringifyWellFormed(value: object): string {
  const text = JSON.stringify(value);
  return /\\ud[89a-f]/.test(text) ? JSON.stringify(wellFormed(value)) : text;
}

/** A copy with every string well-formed, keys included. `__proto__` stays an ordinary own key. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]),
  );
}
