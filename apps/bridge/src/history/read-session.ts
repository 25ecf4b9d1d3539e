/**
 * A file of another agent as what its reader makes of it: in chunks, a line at a time, in bounded memory, and on
 * from where it was left when the file only grew. An unfinished last line waits for its end.
 */
import { createHash } from 'node:crypto';
import type { AnyReader, Emitted } from '@skein/core/import/reader';
import { type ForeignFile, openForeign } from '../platform/foreign-file.ts';
import type { FileKey } from '../platform/scan-dir.ts';
import { createLineCutter } from './line-cutter.ts';

const CHUNK_BYTES = 1024 * 1024;
export const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** A document is read as a whole: twice its size in memory, at the least. */
export const MAX_DOCUMENT_BYTES = 128 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 4096;

/** Where reading was left. `state` is the reader's own and changes as it reads on. */
export interface Checkpoint {
  readonly key: FileKey;
  readonly offset: number;
  /** Whole lines before `offset`. */
  readonly line: number;
  readonly state: unknown;
  readonly version: number;
  /** sha256 of the first bytes (64 Ki at most, none behind `offset`) and of the last ones before `offset`. */
  readonly head: string;
  readonly tail: string;
}

export interface ReadBatch {
  readonly emitted: readonly Emitted[];
  readonly checkpoint: Checkpoint;
  /** With the last batch: a line without its end. */
  readonly rest: string | null;
}

/**
 * What holds if nothing follows: an unfinished last line that is whole JSON counts, and what the reader says at the
 * end. The checkpoint's state stays as it is, so that reading may go on from it.
 */
export const endOf = (reader: AnyReader, { checkpoint, rest }: ReadBatch): readonly Emitted[] => {
  const state = structuredClone(checkpoint.state);
  const isWhole = rest !== null && (reader.takesRest?.(state) === true || isJson(rest));
  const last = isWhole ? reader.read(state, rest, checkpoint.line + 1) : [];
  return [...last, ...reader.end(state)];
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};

export type ReadStart =
  | { readonly kind: 'gone' }
  /** `fresh`: from the start, because there was no checkpoint or the file is not the one it was. */
  | { readonly kind: 'open'; readonly fresh: boolean; readonly batches: AsyncGenerator<ReadBatch> };

export interface ReadOptions {
  /** Where an earlier reading was left. */
  readonly from?: Checkpoint | null;
  /** What the reader is told as the path, when the bytes lie elsewhere (the vault). */
  readonly origin?: string;
  readonly maxLineBytes?: number;
  readonly maxDocumentBytes?: number;
}

/** Whoever takes `batches` must read them to the end or call `return`. Fault `io`. */
export const startReading = async (
  reader: AnyReader,
  path: string,
  options: ReadOptions = {},
): Promise<ReadStart> => {
  const from = options.from ?? null;
  const file = await openForeign(path);
  if (file === null) return { kind: 'gone' };
  const isSame = from !== null && (await stillHolds(file, from, reader));
  const job = { reader, file, origin: options.origin ?? path, options };
  const batches = reader.unit === 'document' ? readDocument(job) : readLines(job, isSame ? from : null);
  return { kind: 'open', fresh: !isSame || reader.unit === 'document', batches };
};

/** Whether everything that was read still lies there, by content: times and sizes alone can deceive. */
const stillHolds = async (file: ForeignFile, from: Checkpoint, reader: AnyReader): Promise<boolean> => {
  if (from.version !== reader.version || file.size < from.offset) return false;
  const marks = await marksOf(file, from.offset);
  return marks.head === from.head && marks.tail === from.tail;
};

const marksOf = async (file: ForeignFile, offset: number) => {
  const tailFrom = Math.max(0, offset - TAIL_BYTES);
  return {
    head: await file.hash(0, Math.min(HEAD_BYTES, offset)),
    tail: await file.hash(tailFrom, offset - tailFrom),
  };
};

interface Job {
  readonly reader: AnyReader;
  readonly file: ForeignFile;
  readonly origin: string;
  readonly options: ReadOptions;
}

const readLines = async function* (job: Job, from: Checkpoint | null): AsyncGenerator<ReadBatch> {
  const { reader, file } = job;
  const state = from === null ? reader.start({ path: job.origin }) : from.state;
  const cutter = createLineCutter(from?.offset ?? 0, job.options.maxLineBytes ?? MAX_LINE_BYTES);
  const key = { size: file.size, mtimeMs: file.mtimeMs, ino: file.ino };
  // One for all chunks: new ones for 10 GB cost more than reading them. The cutter keeps copies.
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, file.size));
  let line = from?.line ?? 0;
  let at = from?.offset ?? 0;
  try {
    for (let isLast = false; !isLast; ) {
      const chunk = await file.read(at, Math.min(CHUNK_BYTES, file.size - at), buffer);
      at += chunk.length;
      isLast = at >= file.size;
      // Cut short while it is read: the next look sees another file.
      if (chunk.length === 0 && !isLast) return;
      const lines = [...cutter.cut(chunk)];
      const first = line + 1;
      line += lines.length;
      const emitted = lines.flatMap((bytes, index) => readLine(job, state, { bytes, line: first + index }));
      const marks = isLast ? await marksOf(file, cutter.offset()) : NO_MARKS;
      const checkpoint = { key, offset: cutter.offset(), line, state, version: reader.version, ...marks };
      yield { emitted, checkpoint, rest: isLast ? restOf(cutter.rest()) : null };
    }
  } finally {
    await file.close();
  }
};

/** Of a checkpoint in the middle of a file: nothing goes on from there. */
const NO_MARKS = { head: '', tail: '' };

const readLine = (
  { reader }: Job,
  state: unknown,
  { bytes, line }: { readonly bytes: Buffer | null; readonly line: number },
): readonly Emitted[] =>
  bytes === null
    ? [{ kind: 'bad', line, reason: 'the line is too long to be read' }]
    : reader.read(state, bytes.toString('utf8'), line);

const restOf = (bytes: Buffer | null): string | null =>
  bytes === null || bytes.length === 0 ? null : bytes.toString('utf8');

const readDocument = async function* ({ reader, file, origin, options }: Job): AsyncGenerator<ReadBatch> {
  try {
    const state = reader.start({ path: origin });
    const key = { size: file.size, mtimeMs: file.mtimeMs, ino: file.ino };
    const tooLong = file.size > (options.maxDocumentBytes ?? MAX_DOCUMENT_BYTES);
    const bytes = tooLong ? Buffer.alloc(0) : await file.read(0, file.size);
    const emitted: readonly Emitted[] = tooLong
      ? [{ kind: 'bad', line: 1, reason: 'the file is too long to be read as a whole' }]
      : reader.read(state, new TextDecoder().decode(bytes), 1);
    const hash = createHash('sha256').update(bytes).digest('hex');
    yield {
      emitted,
      checkpoint: { key, offset: file.size, line: 1, state, version: reader.version, head: hash, tail: hash },
      rest: null,
    };
  } finally {
    await file.close();
  }
};
