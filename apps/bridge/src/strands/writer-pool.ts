/**
 * Open writers, shared by everything in this process that appends to the same strand: one lease, one fold.
 * A writer that nobody uses is closed after a while, so that another process may take its lease. Invariant: a file
 * is opened only after its last writer of this process has given the lease back.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandId } from '@skein/core/record/ids';
import { settleAll } from '../platform/settle-all.ts';
import type { StrandStore, StrandWriter } from './types.ts';

export interface WriterLoan {
  readonly writer: StrandWriter;
  /** Gives the writer back; call exactly once. */
  release(): void;
}

export interface WriterPool {
  /**
   * Faults: `held` (another process has the lease; data.holder), `read_only` (data.reason), `not_found`.
   * The first loan of a strand repairs what a crash left (see `repair`) before it is given out.
   */
  borrow(id: StrandId): Promise<WriterLoan>;
  use<T>(id: StrandId, work: (writer: StrandWriter) => Promise<T>): Promise<T>;
  /** Takes over a writer that `StrandStore.create` just opened. */
  adopt(writer: StrandWriter): WriterLoan;
  /** The open writer, when there is one. */
  peek(id: StrandId): StrandWriter | undefined;
  /**
   * The writer may no longer say what is true: the next loan opens the file anew. Rejects when what was appended last
   * could not be saved. A writer that is `broken` is given up by itself.
   */
  discard(id: StrandId): Promise<void>;
  /** Closes every writer, also when one of them cannot be closed well; after that nothing is lent. */
  close(): Promise<void>;
}

export interface WriterPoolDeps {
  readonly store: StrandStore;
  /** Runs once per opening, under the lease: closes an open turn, settles an open restore. */
  readonly repair: (writer: StrandWriter) => Promise<void>;
  readonly idleMs: number;
  /** A writer that nobody waits for could not be closed well: what it wrote last may not be on disk. */
  readonly onFault: (id: StrandId, error: unknown) => void;
}

interface Slot {
  readonly opening: Promise<StrandWriter>;
  writer: StrandWriter | undefined;
  loans: number;
  idle: NodeJS.Timeout | undefined;
}

export const createWriterPool = (deps: WriterPoolDeps): WriterPool => {
  const slots = createSlots(deps);
  let closed = false;

  const loan = (id: StrandId, slot: Slot, writer: StrandWriter): WriterLoan => {
    let given = true;
    return {
      writer,
      release() {
        if (!given) return;
        given = false;
        slot.loans -= 1;
        if (slots.get(id) !== slot) return;
        if (writer.broken) slots.dropBehind(id, slot);
        else if (slot.loans === 0) slots.dropLater(id, slot);
      },
    };
  };
  const pool: WriterPool = {
    async borrow(id) {
      if (closed) throw new BridgeError('interrupted', 'Skein is stopping; nothing more is written.');
      const slot = slots.mustGet(id);
      slot.loans += 1;
      clearTimeout(slot.idle);
      try {
        return loan(id, slot, await slot.opening);
      } catch (error) {
        slot.loans -= 1;
        throw error;
      }
    },
    async use(id, work) {
      const { writer, release } = await pool.borrow(id);
      try {
        return await work(writer);
      } finally {
        release();
      }
    },
    adopt: (writer) => loan(writer.id, slots.adopt(writer), writer),
    peek: (id) => slots.get(id)?.writer,
    async discard(id) {
      const slot = slots.get(id);
      if (slot !== undefined) await slots.drop(id, slot);
    },
    async close() {
      closed = true;
      await slots.dropAll();
    },
  };
  return pool;
};

/** The open writers and those that are on their way out. */
const createSlots = (deps: WriterPoolDeps) => {
  const slots = new Map<StrandId, Slot>();
  /** None of these rejects. */
  const closing = new Map<StrandId, Promise<void>>();

  const drop = (id: StrandId, slot: Slot): Promise<void> => {
    clearTimeout(slot.idle);
    if (slots.get(id) !== slot) return closing.get(id) ?? Promise.resolve();
    slots.delete(id);
    // What could not be opened holds nothing; its borrower has the fault.
    const ended = slot.opening.then((writer) => writer.close(), nothing);
    const over = ended.then(nothing, nothing).then(() => {
      if (closing.get(id) === over) closing.delete(id);
    });
    closing.set(id, over);
    return ended;
  };
  const dropBehind = (id: StrandId, slot: Slot): void => {
    drop(id, slot).catch((error: unknown) => deps.onFault(id, error));
  };
  const open = (id: StrandId): Slot => {
    const opening = closing.get(id)?.then(() => openAndRepair(deps, id)) ?? openAndRepair(deps, id);
    const slot: Slot = { opening, writer: undefined, loans: 0, idle: undefined };
    slots.set(id, slot);
    opening.then(
      (writer) => {
        slot.writer = writer;
      },
      () => {
        if (slots.get(id) === slot) slots.delete(id);
      },
    );
    return slot;
  };
  return {
    get: (id: StrandId): Slot | undefined => slots.get(id),
    mustGet(id: StrandId): Slot {
      const slot = slots.get(id);
      if (slot === undefined) return open(id);
      if (slot.writer?.broken !== true) return slot;
      // Others may still hold the broken one; there is nothing left to do with it but to give it back.
      dropBehind(id, slot);
      return open(id);
    },
    adopt(writer: StrandWriter): Slot {
      const slot: Slot = { opening: Promise.resolve(writer), writer, loans: 1, idle: undefined };
      slots.set(writer.id, slot);
      return slot;
    },
    drop,
    dropBehind,
    dropLater(id: StrandId, slot: Slot): void {
      slot.idle = setTimeout(() => {
        if (slot.loans === 0) dropBehind(id, slot);
      }, deps.idleMs);
      slot.idle.unref();
    },
    dropAll: (): Promise<void> =>
      settleAll([...closing.values(), ...[...slots].map(([id, slot]) => drop(id, slot))]),
  };
};

const nothing = (): undefined => undefined;

const openAndRepair = async (deps: WriterPoolDeps, id: StrandId): Promise<StrandWriter> => {
  const outcome = await deps.store.open(id);
  if (outcome.kind === 'held')
    throw new BridgeError('held', `This session is open in ${outcome.holder}.`, {
      data: { holder: outcome.holder },
    });
  if (outcome.kind === 'read_only')
    throw new BridgeError('read_only', outcome.reason, { data: { reason: outcome.reason } });
  try {
    await deps.repair(outcome.writer);
  } catch (error) {
    // The session stays as it was found; why it could not be settled is what the borrower must hear.
    await outcome.writer.close().catch((cause: unknown) => deps.onFault(id, cause));
    throw error;
  }
  return outcome.writer;
};
