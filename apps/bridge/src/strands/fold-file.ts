/** A strand file to its state, streaming. Reads whole lines only: what follows the last line end is not there yet. */
import { BridgeError } from '@skein/core/protocol/errors';
import { type DecodedLine, decodeLine } from '@skein/core/record/line';
import { applyLine, emptyStrand, type StrandState } from '@skein/core/strand/replay';
import { hashRange, type Line, readLines } from '../platform/line-reader.ts';
import { type FileKey, type ScannedEntry, scanFile } from '../platform/scan-dir.ts';

/** A longer line is shown as unreadable, never loaded; no writer of ours makes one. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

export interface FoldedFile {
  readonly key: FileKey;
  readonly state: StrandState;
  /** Offset behind the last line end. */
  readonly end: number;
  /** Where the bad lines are, by their number. */
  readonly badLines: ReadonlyMap<number, { readonly offset: number; readonly length: number }>;
  /** The last line, to see later that the file only grew. */
  readonly last: { readonly offset: number; readonly sha256: string } | null;
}

export interface FoldOptions {
  /** An earlier fold of the same file to go on from; it must not be used afterwards. */
  readonly from?: FoldedFile | undefined;
  /** Called for every line before it is folded, to make it smaller. */
  readonly lighten?: ((decoded: DecodedLine) => DecodedLine) | undefined;
  readonly maxRecordBytes?: number | undefined;
  /** How much of a file of so many bytes a reader may see (see `OpenStrand.readableEnd`); all of it when not given. */
  readonly readable?: ((size: number) => number) | undefined;
}

/** Folds the file up to its size now, or to what of it may be read. `key` then says that size. Faults: `not_found`, `io`. */
export const foldFile = async (path: string, options: FoldOptions = {}): Promise<FoldedFile> => {
  const found = mustBeThere(path);
  const key = { ...found, size: options.readable?.(found.size) ?? found.size };
  const { from } = options;
  const badLines = new Map(from?.badLines);
  let state = from?.state ?? emptyStrand();
  let end = from?.end ?? 0;
  let last: Line | null = null;
  const range = { from: end, to: key.size, maxLineBytes: options.maxRecordBytes ?? MAX_RECORD_BYTES };
  for await (const lines of readLines(path, range)) {
    for (const line of lines) {
      const decoded = decodeFileLine(line);
      const bad = state.bad.length;
      state = applyLine(state, { seq: state.seq + 1, decoded: options.lighten?.(decoded) ?? decoded });
      if (state.bad.length > bad) badLines.set(state.seq, { offset: line.offset, length: line.length });
      end = line.offset + line.length + 1;
      last = line;
    }
  }
  return { key, state, end, badLines, last: last === null ? (from?.last ?? null) : await markOf(path, last) };
};

const markOf = async (path: string, { offset, length }: Line): Promise<FoldedFile['last']> => ({
  offset,
  sha256: await hashRange(path, offset, length),
});

/** The file as it is now. Fault `not_found`. */
export const mustBeThere = (path: string): ScannedEntry => {
  const found = scanFile(path);
  if (found?.kind === 'file') return found;
  throw new BridgeError('not_found', `This session file is gone: ${path}`, { data: { path } });
};

/** What a line says; a line that was not loaded is a corrupt one. */
export const decodeFileLine = ({ bytes, length }: Pick<Line, 'bytes' | 'length'>): DecodedLine => {
  if (bytes !== null) return decodeLine(bytes);
  const reason = `the record is too large to load (${length} bytes)`;
  return { kind: 'corrupt', reason };
};
