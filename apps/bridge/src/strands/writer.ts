/**
 * One open strand under its lease. Appends run one after another; several of one moment share a sync. Invariants:
 * `state` is the fold of what this process knows to be in the file, `shownState` the fold of what readers may see of
 * it, and nothing is written once the lease is lost.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandId } from '@skein/core/record/ids';
import { decodeLine, encodeLine } from '@skein/core/record/line';
import type { RecordBody, StrandRecord } from '@skein/core/record/schema';
import { applyLine, copyOfState, type StrandLine, type StrandState } from '@skein/core/strand/replay';
import { type AppendFile, openAppendFile } from '../platform/append-file.ts';
import type { Clock } from '../platform/clock.ts';
import { newRecordId } from '../platform/ids.ts';
import type { HeldLock } from '../platform/lock.ts';
import { isDurable, LAZY_SYNC_MS } from './durability.ts';
import { foldFile, MAX_RECORD_BYTES } from './fold-file.ts';
import { spillBody } from './spill-parts.ts';
import { writeSpill } from './spills.ts';
import type { StrandWriter } from './types.ts';

export interface WriterParts {
  readonly id: StrandId;
  readonly file: AppendFile;
  /** Fold of the file up to its end. */
  readonly state: StrandState;
  readonly lease: HeldLock;
  /** Folder of the spills. */
  readonly spills: string;
  readonly clock: Clock;
  readonly onGrew: () => void;
  readonly onClosed: () => void;
}

interface Job {
  readonly bodies: readonly RecordBody[];
  readonly durable: boolean;
  readonly answer: PromiseWithResolvers<readonly StrandRecord[]>;
}

export class OpenStrand implements StrandWriter {
  readonly id: StrandId;
  readonly file: string;
  readonly #parts: WriterParts;
  #file: AppendFile;
  #state: StrandState;
  /** A fold of its own: `applyLine` takes the maps of the state before it along. */
  #shownState: StrandState;
  /** Lines of `state` that `shownState` does not have yet. */
  #unshown: StrandLine[] = [];
  #queue: Job[] = [];
  #working: Promise<void> | null = null;
  /** How far readers may read while a batch is at work: up to what its durability rule is kept for. `shownState` ends here. */
  #shown: number;
  #unsynced = false;
  #syncDue = false;
  #timer: NodeJS.Timeout | undefined;
  /** Why nothing can be written any more. */
  #broken: unknown = null;
  /** A sync that failed while nobody waited for it: the next append says so. */
  #lateFault: unknown = null;
  #closing: Promise<void> | null = null;

  constructor(parts: WriterParts) {
    this.id = parts.id;
    this.file = parts.file.path;
    this.#parts = parts;
    this.#file = parts.file;
    this.#state = parts.state;
    this.#shownState = copyOfState(parts.state);
    this.#shown = parts.file.end;
  }

  get state(): StrandState {
    return this.#state;
  }

  get shownState(): StrandState {
    return this.#shownState;
  }

  get broken(): boolean {
    return this.#broken !== null;
  }

  /** What a reader of a file of `size` bytes may see, without reading it; null when only the file itself can say. */
  shownAt(size: number): { readonly state: StrandState; readonly end: number } | null {
    const isKnown = this.#broken === null && this.readableEnd(size) === this.#shown;
    return isKnown ? { state: this.#shownState, end: this.#shown } : null;
  }

  /** How much of a file of `size` bytes a reader may be shown: a durable record only once it is on disk. */
  readableEnd(size: number): number {
    return this.#working === null || this.#broken !== null ? size : Math.min(size, this.#shown);
  }

  append(
    bodies: readonly RecordBody[],
    options: { readonly durable?: boolean } = {},
  ): Promise<readonly StrandRecord[]> {
    const answer = Promise.withResolvers<readonly StrandRecord[]>();
    if (this.#closing === null) this.#enqueue({ bodies, durable: options.durable === true, answer });
    else answer.reject(this.#broken ?? closedFault());
    return answer.promise;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #enqueue(job: Job): void {
    this.#queue.push(job);
    this.#working ??= this.#work();
  }

  /** Never rejects: every fault goes to the job that it belongs to. */
  async #work(): Promise<void> {
    // Appends of the same tick are all here before the first one is written.
    await Promise.resolve();
    while (this.#queue.length > 0 || this.#syncDue) {
      await this.#runBatch(this.#queue.splice(0));
    }
    this.#working = null;
  }

  async #runBatch(batch: readonly Job[]): Promise<void> {
    const waiting: { readonly job: Job; readonly records: readonly StrandRecord[] }[] = [];
    for (const job of batch) {
      try {
        const records = await this.#write(job.bodies);
        if (job.durable || records.some(isDurable)) waiting.push({ job, records });
        else job.answer.resolve(records);
      } catch (error) {
        job.answer.reject(error);
      }
    }
    const due = this.#syncDue;
    this.#syncDue = false;
    if (waiting.length === 0 && !due) {
      this.#show();
      this.#syncLater();
      return;
    }
    try {
      await this.#sync();
      this.#show();
      for (const { job, records } of waiting) job.answer.resolve(records);
    } catch (error) {
      for (const { job } of waiting) job.answer.reject(error);
      if (waiting.length === 0) this.#lateFault = error;
      this.#show();
    }
  }

  #show(): void {
    for (const line of this.#unshown.splice(0)) this.#shownState = applyLine(this.#shownState, line);
    if (this.#shown === this.#file.end) return;
    this.#shown = this.#file.end;
    this.#parts.onGrew();
  }

  async #write(bodies: readonly RecordBody[]): Promise<readonly StrandRecord[]> {
    this.#mustBeWritable();
    const spilled = bodies.map(spillBody);
    for (const { contents } of spilled) {
      for (const content of contents) await writeSpill(this.#parts.spills, content);
    }
    const records: StrandRecord[] = [];
    for (const { body } of spilled) records.push(await this.#writeRecord(body));
    return records;
  }

  async #writeRecord(body: RecordBody): Promise<StrandRecord> {
    const line = lineOf(body, this.#state, this.#parts.clock.nowIso());
    try {
      await this.#file.append(line.bytes);
    } catch (error) {
      if (error instanceof BridgeError && error.code === 'held') this.#broken = error;
      throw error;
    }
    this.#unsynced = true;
    const folded: StrandLine = { seq: this.#state.seq + 1, decoded: { kind: 'ok', record: line.record } };
    this.#state = applyLine(this.#state, folded);
    this.#unshown.push(folded);
    return line.record;
  }

  #mustBeWritable(): void {
    const fault = this.#broken ?? this.#lateFault;
    this.#lateFault = null;
    if (fault !== null) throw fault;
  }

  #syncLater(): void {
    if (!this.#unsynced || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#syncDue = this.#unsynced;
      this.#working ??= this.#work();
    }, LAZY_SYNC_MS);
  }

  async #sync(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#unsynced) return;
    try {
      await this.#file.sync();
      this.#unsynced = false;
    } catch (error) {
      await this.#reopen();
      throw error;
    }
  }

  /** After a failed sync only the file itself can say what it holds; the sync is never just tried again. */
  async #reopen(): Promise<void> {
    this.#unsynced = false;
    try {
      await this.#file.close();
      const folded = await foldFile(this.file);
      this.#file = await openAppendFile(this.file, { isOurs: this.#parts.lease.isOurs });
      this.#state = folded.state;
      this.#shownState = copyOfState(folded.state);
      this.#unshown = [];
      if (folded.end !== this.#file.end)
        throw new BridgeError('io', `The session file ends in a torn record: ${this.file}`);
    } catch (error) {
      this.#broken = error;
    }
  }

  async #close(): Promise<void> {
    await this.#working;
    try {
      if (this.#broken === null) await this.#sync();
      const fault = this.#lateFault;
      if (fault !== null) throw fault;
    } finally {
      clearTimeout(this.#timer);
      await this.#giveBack();
    }
  }

  /** A lease that outlived its writer would lock this process out of its own session. */
  async #giveBack(): Promise<void> {
    try {
      await this.#file.close();
    } finally {
      this.#parts.onClosed();
      this.#parts.lease.release();
    }
  }
}

const closedFault = (): BridgeError =>
  new BridgeError('internal', 'The session was closed before this could be saved.');

/** The record as a reader will see it, and its bytes. Faults: `invalid_input`, `limit`. */
const lineOf = (
  body: RecordBody,
  state: StrandState,
  at: string,
): { readonly record: StrandRecord; readonly bytes: Uint8Array } => {
  if ((body.kind === 'header') !== (state.seq === 0))
    throw new BridgeError('internal', 'A header comes first and once.');
  let id = newRecordId();
  while (state.nodes.has(id)) id = newRecordId();
  const bytes = encode({ id, parent: state.tip, at, ...body });
  if (bytes.length > MAX_RECORD_BYTES) {
    throw new BridgeError('limit', 'This record is too large to be saved.', {
      data: { bytes: bytes.length, max: MAX_RECORD_BYTES },
    });
  }
  const decoded = decodeLine(bytes.subarray(0, -1));
  if (decoded.kind === 'ok') return { record: decoded.record, bytes };
  const reason = decoded.kind === 'unknown' ? decoded.recordKind : decoded.reason;
  throw new BridgeError('invalid_input', `This cannot be saved as a record: ${reason}`, {
    data: { kind: body.kind },
  });
};

const encode = (record: StrandRecord): Uint8Array => {
  try {
    return encodeLine(record);
  } catch (error) {
    throw new BridgeError('invalid_input', 'This cannot be saved as a record: it is nested too deep.', {
      cause: error,
    });
  }
};
