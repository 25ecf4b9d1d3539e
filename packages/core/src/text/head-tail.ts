/** The first and last characters of a text too long to be kept in a record. */
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

export interface HeadTail {
  readonly head: string;
  /** Empty when the head is the whole text. */
  readonly tail: string;
  /** UTF-8 bytes of the whole text. */
  readonly bytes: number;
}

/** At most so many UTF-8 bytes from either end, never half a character. A text that fits is all head. */
export const headTail = (text: string, headBytes: number, tailBytes: number): HeadTail => {
  const wellFormed = text.toWellFormed();
  const bytes = utf8Length(wellFormed);
  if (bytes <= headBytes + tailBytes) return { head: wellFormed, tail: '', bytes };
  // A character has at least one byte, so so many units are more than enough to cut from.
  const head = encodeUtf8(wellFormed.slice(0, headBytes + 1));
  const tail = encodeUtf8(wellFormed.slice(-tailBytes - 1));
  return {
    head: decodeUtf8(head.subarray(0, lastStart(head, headBytes))) ?? '',
    tail: decodeUtf8(tail.subarray(firstStart(tail, tail.length - tailBytes))) ?? '',
    bytes,
  };
};

/** UTF-8 bytes of a well-formed text, without encoding it. */
export const utf8Length = (text: string): number => {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair counts two of the character's four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  return bytes;
};

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The last character start at or before `at`. */
function lastStart(bytes: Uint8Array, at: number): number {
  let index = Math.max(0, Math.min(at, bytes.length));
  while (index > 0 && isContinuation(bytes[index])) index -= 1;
  return index;
}

/** The first character start at or after `at`. */
function firstStart(bytes: Uint8Array, at: number): number {
  let index = Math.max(0, at);
  while (isContinuation(bytes[index])) index += 1;
  return index;
}
