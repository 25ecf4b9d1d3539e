/**
 * The strand store: who may append, what an append promises, and how strands are read. Implemented in
 * this folder; the shapes are what flows rely on.
 */
import type { StrandSummary, WindowItem } from '@skein/core/protocol/strands';
import type { RecordId, StrandId } from '@skein/core/record/ids';
import type { RecordBody, RecordOf, StrandRecord } from '@skein/core/record/schema';
import type { StrandState } from '@skein/core/strand/replay';

export interface StrandLocation {
  readonly id: StrandId;
  readonly file: string;
}

export type OpenOutcome =
  | { readonly kind: 'open'; readonly writer: StrandWriter }
  | { readonly kind: 'held'; readonly holder: string }
  /** Newer format, torn or missing header, bad lines not accepted: never appended to. */
  | { readonly kind: 'read_only'; readonly reason: string };

/** One open strand under its lease. One record is one write; nothing is acknowledged before its durability rule. */
export interface StrandWriter {
  readonly id: StrandId;
  readonly file: string;
  /** Folded state including every appended record. */
  readonly state: StrandState;
  /** Folded state as readers may see it: a durable record is in it once it is on disk. */
  readonly shownState: StrandState;
  /** The lease is lost or the file could not be read again after a failed sync: nothing can be appended any more. */
  readonly broken: boolean;
  /**
   * Appends in order. Resolves after fdatasync when a body's kind demands it (prompt messages, tip, restore,
   * turn, decision, recovery) or `durable` is set; others are synced with the next of these or after 1 s. Parts over
   * 32 KiB are spilled before the line is written. Faults: `io` (disk full: the failed record was cut back, earlier ones
   * of the call stay and are in `state`), `held` (lease lost, or the file was changed by others), `invalid_input`, `limit`.
   */
  append(
    bodies: readonly RecordBody[],
    options?: { readonly durable?: boolean },
  ): Promise<readonly StrandRecord[]>;
  /** Waits for everything appended so far to be on disk, releases the lease. */
  close(): Promise<void>;
}

export interface ReadItem {
  readonly item: WindowItem;
  /** Byte offset of the line's first byte. */
  readonly offset: number;
}

export interface StrandStore {
  /** Creates the file (O_APPEND|O_EXCL, 0600), appends the header durably and returns it open for writing. */
  create(header: Omit<RecordOf<'header'>, 'id' | 'parent' | 'at' | 'strand'>): Promise<StrandWriter>;
  /** Takes the lease, repairs a torn tail, replays. `takeOver`: the user said so (`--take-over`). */
  open(id: StrandId, options?: { readonly takeOver?: boolean }): Promise<OpenOutcome>;
  /**
   * The user accepts the damaged lines that make `open` answer `read_only`: a `recovery` record names each with its hash.
   * The lines stay. Durable when it resolves. Faults: `held`, `read_only` (for another reason), `not_found`, `io`.
   */
  acceptBadLines(id: StrandId): Promise<{ readonly accepted: number }>;
  locate(id: StrandId): Promise<StrandLocation | null>;
  /** Folds the whole file without a lease, streaming; cached by (size, mtime, inode). */
  read(id: StrandId): Promise<StrandState>;
  /** Consecutive lines ending at `before` (default: the end), read backwards in blocks; never the whole file. */
  window(
    id: StrandId,
    options: {
      readonly before?: number;
      readonly turns: number;
      readonly maxRecords: number;
      readonly maxBytes: number;
    },
  ): Promise<{
    readonly items: readonly WindowItem[];
    readonly before: number | null;
    readonly cursor: string;
    readonly tip: RecordId;
  }>;
  /** Lines after the cursor, then nothing: the caller follows through `watch`. */
  readAfter(
    id: StrandId,
    cursor: string,
  ): Promise<
    | {
        readonly kind: 'lines';
        readonly items: readonly WindowItem[];
        readonly cursor: string;
        readonly more: boolean;
      }
    | { readonly kind: 'resync'; readonly reason: string }
  >;
  list(): Promise<readonly StrandSummary[]>;
  summary(id: StrandId): Promise<StrandSummary | null>;
  readSpill(sha256: string): Promise<Uint8Array>;
  /** A part of a spill, for the page. Fault `not_found`. */
  readSpillRange(
    sha256: string,
    offset: number,
    limit: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly total: number }>;
  lines(id: StrandId): AsyncIterable<ReadItem>;
  /** Called when a strand file grew, appeared, changed or went, whoever wrote it. Returns the stop function. */
  watch(listener: (change: { readonly id: StrandId; readonly kind: 'changed' | 'gone' }) => void): () => void;
  close(): Promise<void>;
}
