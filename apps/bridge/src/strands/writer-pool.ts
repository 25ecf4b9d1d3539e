/**
 * Open writers, shared by everything in this process that appends to the same strand: one lease, one fold.
 * A writer that nobody uses is closed after a while, so that another process may take its lease.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandId } from '@skein/core/record/ids';
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
  /** A fault of the writer (lost lease, failed sync): the next loan opens the file anew. */
  discard(id: StrandId): Promise<void>;
  close(): Promise<void>;
}

export interface WriterPoolDeps {
  readonly store: StrandStore;
  /** Runs once per opening, under the lease: closes an open turn, settles an open restore. */
  readonly repair: (writer: StrandWriter) => Promise<void>;
  readonly idleMs: number;
}

interface Slot {
  readonly opening: Promise<StrandWriter>;
  writer: StrandWriter | undefined;
  loans: number;
  idle: NodeJS.Timeout | undefined;
}

export const createWriterPool = (deps: WriterPoolDeps): WriterPool => {
  const slots = new Map<StrandId, Slot>();

  const drop = async (id: StrandId, slot: Slot): Promise<void> => {
    clearTimeout(slot.idle);
    if (slots.get(id) === slot) slots.delete(id);
    const writer = await slot.opening;
    await writer.close();
  };
  const loan = (id: StrandId, slot: Slot, writer: StrandWriter): WriterLoan => {
    let given = true;
    return {
      writer,
      release() {
        if (!given) return;
        given = false;
        slot.loans -= 1;
        if (slot.loans > 0 || slots.get(id) !== slot) return;
        slot.idle = setTimeout(() => {
          if (slot.loans === 0) void drop(id, slot).catch(() => slots.delete(id));
        }, deps.idleMs);
        slot.idle.unref();
      },
    };
  };
  const slotOf = (id: StrandId): Slot => {
    const existing = slots.get(id);
    if (existing !== undefined) return existing;
    const slot: Slot = { opening: openAndRepair(deps, id), writer: undefined, loans: 0, idle: undefined };
    slots.set(id, slot);
    slot.opening.then(
      (writer) => {
        slot.writer = writer;
      },
      () => {
        if (slots.get(id) === slot) slots.delete(id);
      },
    );
    return slot;
  };
  const pool: WriterPool = {
    async borrow(id) {
      const slot = slotOf(id);
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
    adopt(writer) {
      const slot: Slot = { opening: Promise.resolve(writer), writer, loans: 1, idle: undefined };
      slots.set(writer.id, slot);
      return loan(writer.id, slot, writer);
    },
    peek: (id) => slots.get(id)?.writer,
    async discard(id) {
      const slot = slots.get(id);
      if (slot !== undefined) await drop(id, slot);
    },
    async close() {
      await Promise.all([...slots].map(([id, slot]) => drop(id, slot)));
    },
  };
  return pool;
};

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
    await outcome.writer.close();
    throw error;
  }
  return outcome.writer;
};
