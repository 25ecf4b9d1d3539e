/**
 * One line of a file of JSON lines that somebody else wrote. A writer that died before the newline leaves two objects on
 * one line, or half of one before a whole one; both are read for what is whole in them.
 */
import { isWithinDepth, MAX_JSON_DEPTH } from '../record/json-depth.ts';
import { type JsonObject, objectOf } from './json.ts';

export interface ParsedLine {
  readonly objects: readonly JsonObject[];
  /** Why a part of the line, or all of it, could not be used. */
  readonly bad: string | null;
}

const NOTHING: ParsedLine = { objects: [], bad: null };
/** A longer line is not searched for what is whole in it. */
const MAX_REPAIRED_CHARS = 4 * 1024 * 1024;
/** Places at which a whole object may begin that are tried. */
const MAX_TRIES = 32;

/** `text`: without its `\n`. A byte order mark before the first line and a `\r` after any are no part of it. */
export const parseLine = (text: string, line: number): ParsedLine => {
  const bare = (line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text).trim();
  if (bare === '') return NOTHING;
  const value = parse(bare);
  if (value !== undefined) return whole(value);
  return bare.length > MAX_REPAIRED_CHARS ? { objects: [], bad: NOT_JSON } : unglue(bare);
};

const NOT_JSON = 'the line is not JSON';

function whole(value: unknown): ParsedLine {
  const object = objectOf(value);
  if (object === null) return { objects: [], bad: 'the line is not a JSON object' };
  if (!isWithinDepth(object)) return { objects: [], bad: `nested deeper than ${MAX_JSON_DEPTH} levels` };
  return { objects: [object], bad: null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function unglue(text: string): ParsedLine {
  const objects: JsonObject[] = [];
  let rest = text;
  for (let end = endOfObject(rest); end > 0; end = endOfObject(rest)) {
    const value = parse(rest.slice(0, end));
    if (value === undefined) break;
    objects.push(...whole(value).objects);
    rest = rest.slice(end).trimStart();
  }
  if (rest === '') return { objects, bad: null };
  const tail = wholeTail(rest);
  return { objects: tail === null ? objects : [...objects, tail], bad: NOT_JSON };
}

/** Index after the `}` that closes the object at the start; 0 when there is none. */
function endOfObject(text: string): number {
  if (text[0] !== '{') return 0;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) index = endOfString(text, index);
    else if (unit === 0x7b) depth += 1;
    else if (unit === 0x7d) depth -= 1;
    if (depth === 0) return index + 1;
  }
  return 0;
}

/** Index of the quote that ends the string that begins at `from`, or of the last character. */
function endOfString(text: string, from: number): number {
  for (let index = from + 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0x5c) index += 1;
    else if (unit === 0x22) return index;
  }
  return text.length - 1;
}

/** The whole object that a line ends with, after something that is cut off. */
function wholeTail(text: string): JsonObject | null {
  let at = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    at = text.indexOf('{"', at + 1);
    if (at < 0) return null;
    const value = parse(text.slice(at));
    if (value !== undefined) return whole(value).objects[0] ?? null;
  }
  return null;
}
