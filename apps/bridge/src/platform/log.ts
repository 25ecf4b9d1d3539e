/**
 * The bridge's log: one JSON line an event in `<data>/logs/bridge.log`, rotated by size, secrets taken out before a
 * byte is written. It never throws: a log that cannot be written says so once on stderr and goes on.
 */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { errnoOf } from './io-fault.ts';
import { createRedactor } from './log-redaction.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogData = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, data?: LogData): void;
  info(message: string, data?: LogData): void;
  warn(message: string, data?: LogData): void;
  error(message: string, data?: LogData): void;
}

export interface FileLog extends Log {
  readonly file: string;
  /** From now on this text never appears in the log. */
  addSecret(secret: string): void;
}

/** Longer events are cut: redaction reads every character. */
const MAX_LINE_CHARS = 32 * 1024;

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export const isLogLevel = (text: string): text is LogLevel => LEVELS.some((level) => level === text);

export const openLog = (options: {
  readonly dir: string;
  readonly level: LogLevel;
  readonly nowIso: () => string;
  /** Told once when the log itself cannot be written. */
  readonly onFailure: (message: string) => void;
  readonly maxBytes?: number;
  /** Older files kept: `bridge.log.1` is the newest of them. */
  readonly keep?: number;
}): FileLog => {
  const { dir, nowIso, maxBytes = 5 * 1024 * 1024, keep = 4 } = options;
  const file = join(dir, 'bridge.log');
  const redactor = createRedactor();
  const from = LEVELS.indexOf(options.level);
  let bytes: number | null = null;
  let failed = false;

  const append = (line: string): void => {
    bytes ??= openDir(dir, file);
    if (bytes > 0 && bytes + Buffer.byteLength(line) > maxBytes) {
      rotate(file, keep);
      bytes = 0;
    }
    appendFileSync(file, line, { mode: 0o600 });
    bytes += Buffer.byteLength(line);
  };
  const write = (level: LogLevel, message: string, data: LogData): void => {
    if (LEVELS.indexOf(level) < from) return;
    const line = redactor.redact(toLine({ at: nowIso(), level, message }, data));
    try {
      append(`${line}\n`);
    } catch (error) {
      if (!failed) options.onFailure(`The log cannot be written (${errnoOf(error) ?? 'unknown'}): ${file}`);
      failed = true;
    }
  };
  return {
    file,
    addSecret: redactor.add,
    debug: (message, data = {}) => write('debug', message, data),
    info: (message, data = {}) => write('info', message, data),
    warn: (message, data = {}) => write('warn', message, data),
    error: (message, data = {}) => write('error', message, data),
  };
};

/** For tests and for commands without a data directory. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const openDir = (dir: string, file: string): number => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
};

const rotate = (file: string, keep: number): void => {
  for (let index = keep - 1; index >= 0; index -= 1) {
    const older = index === 0 ? file : `${file}.${index}`;
    if (statSync(older, { throwIfNoEntry: false }) !== undefined) renameSync(older, `${file}.${index + 1}`);
  }
};

/** One JSON line; data that JSON cannot take (a cycle, a bigint) is written as `inspect` shows it. */
const toLine = (head: LogData, data: LogData): string => {
  try {
    return cut(JSON.stringify({ ...head, ...data }, withStack), head);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return cut(JSON.stringify({ ...head, data: inspect(data, { depth: 3 }) }), head);
  }
};

/** JSON makes `{}` of an error. */
const withStack = (_key: string, value: unknown): unknown =>
  value instanceof Error ? (value.stack ?? value.message) : value;

/** Cut between words: half a secret would not be known as one. */
const cut = (line: string, head: LogData): string => {
  if (line.length <= MAX_LINE_CHARS) return line;
  return JSON.stringify({ ...head, cut: line.slice(0, MAX_LINE_CHARS).replace(/[^\s"\\,]*$/, '') });
};
