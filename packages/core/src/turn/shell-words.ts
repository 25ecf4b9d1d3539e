/**
 * A shell text taken apart roughly: into simple commands and their words, quotes removed. Good enough to say what kind of
 * program ran; never good enough to decide whether something is safe (config/permission-rule.ts does that on the text).
 */
export interface SimpleCommand {
  /** As it was written, without what is around it. */
  readonly text: string;
  /** Without quotes and redirections. */
  readonly words: readonly string[];
  /** Files that `>` and its kind write to. */
  readonly writes: readonly string[];
}

/** Longer texts are cut: nobody reads a list made from them. */
const MAX_CHARS = 20_000;
const MAX_DEPTH = 4;

export const simpleCommands = (text: string, depth = 0): readonly SimpleCommand[] => {
  if (depth > MAX_DEPTH) return [];
  const { commands, nested } = readAll(withoutHereDocuments(text.slice(0, MAX_CHARS)));
  return [...commands, ...nested.flatMap((inner) => simpleCommands(inner, depth + 1))];
};

/** Their bodies are input of a program, no commands. */
function withoutHereDocuments(text: string): string {
  const kept: string[] = [];
  let end: string | null = null;
  for (const line of text.split('\n')) {
    if (end !== null) {
      if (line.trim() === end) end = null;
      continue;
    }
    kept.push(line);
    end = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/.exec(line)?.[2] ?? null;
  }
  return kept.join('\n');
}

const SEPARATORS = ';|&\n(){}';

/** Where reading is, and what is open there. */
interface Reader {
  readonly text: string;
  readonly commands: SimpleCommand[];
  /** Texts of substitutions, which hold commands of their own. */
  readonly nested: string[];
  at: number;
  /** Of the open command. */
  start: number;
  words: string[];
  writes: string[];
  /** The open word; null between two. */
  word: string | null;
  /** The open word is what a redirection writes to. */
  isTarget: boolean;
}

function readAll(text: string): Reader {
  const reader: Reader = {
    text,
    commands: [],
    nested: [],
    at: 0,
    start: 0,
    words: [],
    writes: [],
    word: null,
    isTarget: false,
  };
  while (reader.at < text.length) {
    const isTaken = readQuoting(reader) || readSubstitution(reader) || readRedirection(reader);
    if (!isTaken) readPlain(reader);
  }
  endCommand(reader);
  return reader;
}

function endWord(reader: Reader): void {
  if (reader.word === null) return;
  (reader.isTarget ? reader.writes : reader.words).push(reader.word);
  [reader.word, reader.isTarget] = [null, false];
}

function endCommand(reader: Reader): void {
  endWord(reader);
  const { text, start, at, words, writes } = reader;
  if (words.length + writes.length > 0)
    reader.commands.push({ text: text.slice(start, at).trim(), words, writes });
  [reader.words, reader.writes, reader.isTarget] = [[], [], false];
}

function add(reader: Reader, piece: string): void {
  reader.word = (reader.word ?? '') + piece;
}

/** Comments, a mark after a backslash, quotes. */
function readQuoting(reader: Reader): boolean {
  const mark = reader.text[reader.at] ?? '';
  if (mark === '#' && reader.word === null) reader.at = endOfLine(reader.text, reader.at);
  else if (mark === '\\') {
    const next = reader.text[reader.at + 1] ?? '';
    if (next !== '\n') add(reader, next);
    reader.at += 2;
  } else if (mark === "'" || mark === '"') readQuoted(reader, mark);
  else return false;
  return true;
}

function readQuoted(reader: Reader, quote: string): void {
  const { text } = reader;
  add(reader, '');
  reader.at += 1;
  while (reader.at < text.length && text[reader.at] !== quote) {
    if (quote === '"' && readSubstitution(reader)) continue;
    if (quote === '"' && text[reader.at] === '\\') reader.at += 1;
    add(reader, text[reader.at] ?? '');
    reader.at += 1;
  }
  reader.at += 1;
}

/** `$(…)` and backticks, also within double quotes. */
function readSubstitution(reader: Reader): boolean {
  const { text, at } = reader;
  const opener = text.startsWith('$(', at) ? '$(' : text[at] === '`' ? '`' : null;
  if (opener === null) return false;
  const found = opener === '`' ? text.indexOf('`', at + 1) : closing(text, at + 2);
  const end = found < 0 ? text.length : found;
  reader.nested.push(text.slice(at + opener.length, end));
  add(reader, '$');
  reader.at = end + 1;
  return true;
}

const REDIRECTION = /^(?:&?>{1,2}\|?(?:&(?:\d+|-))?|<{1,3}-?)/;

function readRedirection(reader: Reader): boolean {
  const found = REDIRECTION.exec(reader.text.slice(reader.at, reader.at + 8))?.[0];
  if (found === undefined) return false;
  // The `2` of `2>` is a descriptor, no word.
  if (/^\d+$/.test(reader.word ?? '')) reader.word = null;
  endWord(reader);
  reader.at += found.length;
  reader.isTarget = found.endsWith('>') || found.endsWith('|');
  return true;
}

function readPlain(reader: Reader): void {
  const mark = reader.text[reader.at] ?? '';
  if (SEPARATORS.includes(mark)) endCommand(reader);
  else if (/\s/.test(mark)) endWord(reader);
  else add(reader, mark);
  reader.at += 1;
  if (SEPARATORS.includes(mark)) reader.start = reader.at;
}

function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
