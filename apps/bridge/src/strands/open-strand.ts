/** Opening a strand for writing: lease, replay, repair of what a crash left at its end. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandId } from '@skein/core/record/ids';
import { emptyStrand, type StrandState } from '@skein/core/strand/replay';
import { type AppendFile, createAppendFile, openAppendFile } from '../platform/append-file.ts';
import type { Clock } from '../platform/clock.ts';
import { removeFile } from '../platform/files.ts';
import type { ProcessIdentity } from '../platform/host.ts';
import { readRange } from '../platform/line-reader.ts';
import { type HeldLock, type LockOutcome, takeLock } from '../platform/lock.ts';
import { acceptance, describeBlockers, findBlockers, unsealedEnd } from './bad-lines.ts';
import { type DataDir, leasePath } from './data-dir.ts';
import { decodeFileLine, type FoldedFile, foldFile, MAX_RECORD_BYTES } from './fold-file.ts';
import type { StrandLocation } from './types.ts';
import { OpenStrand } from './writer.ts';

export interface OpenDeps {
  readonly dirs: DataDir;
  readonly process: ProcessIdentity;
  readonly clock: Clock;
  readonly onGrew: (id: StrandId) => void;
  readonly onOpened: (writer: OpenStrand) => void;
  readonly onClosed: (id: StrandId) => void;
}

export interface OpenRequest {
  readonly takeOver?: boolean | undefined;
  /** The user accepts the damaged lines: a `recovery` record for each is written. */
  readonly acceptBad?: boolean | undefined;
}

export type Opened =
  | { readonly kind: 'open'; readonly writer: OpenStrand; readonly accepted: number }
  | { readonly kind: 'held'; readonly holder: string }
  | { readonly kind: 'read_only'; readonly reason: string };

export const leaseOf = (deps: OpenDeps, id: StrandId, takeOver?: boolean): LockOutcome =>
  takeLock(leasePath(deps.dirs, id), {
    process: deps.process,
    purpose: 'writing a session',
    takeOver,
  });

/** Faults: `not_found`, `io`. Whatever happens, a lease that is not handed out is given back. */
export const openStrand = async (
  deps: OpenDeps,
  at: StrandLocation,
  request: OpenRequest,
): Promise<Opened> => {
  const lease = leaseOf(deps, at.id, request.takeOver);
  if (lease.kind === 'held') return { kind: 'held', holder: lease.holder };
  let file: AppendFile | null = null;
  let done = false;
  try {
    file = await openAppendFile(at.file, { isOurs: lease.lock.isOurs });
    const opened = await openUnderLease(deps, { at, request, file, lease: lease.lock });
    done = opened.kind === 'open';
    return opened;
  } finally {
    if (!done) {
      try {
        await file?.close();
      } finally {
        lease.lock.release();
      }
    }
  }
};

interface Step {
  readonly at: StrandLocation;
  readonly request: OpenRequest;
  readonly file: AppendFile;
  readonly lease: HeldLock;
}

const openUnderLease = async (deps: OpenDeps, step: Step): Promise<Opened> => {
  const { at, file, request } = step;
  let folded = await foldFile(at.file);
  const tail = await tailAfter(at.file, folded, file.end);
  const refusal = refusalOf(folded.state, at.id, tail);
  if (refusal !== null) return { kind: 'read_only', reason: refusal };
  const blockers = await findBlockers(at.file, folded);
  if (blockers.length > 0 && request.acceptBad !== true) {
    return { kind: 'read_only', reason: describeBlockers(blockers) };
  }
  if (tail !== 'none') {
    await file.append(Buffer.from('\n'));
    folded = await foldFile(at.file, { from: folded });
  }
  if (folded.end !== file.end)
    throw new BridgeError('held', `Another program is writing this file: ${at.file}`);
  const writer = writerOf(deps, { id: at.id, state: folded.state, file, lease: step.lease });
  const torn = unsealedEnd(folded);
  if (torn !== null) await writer.append([{ kind: 'recovery', torn }]);
  if (blockers.length > 0) await writer.append(blockers.map(acceptance));
  deps.onOpened(writer);
  return { kind: 'open', writer, accepted: blockers.length };
};

export const writerOf = (
  deps: OpenDeps,
  parts: {
    readonly id: StrandId;
    readonly state: StrandState;
    readonly file: AppendFile;
    readonly lease: HeldLock;
  },
): OpenStrand =>
  new OpenStrand({
    ...parts,
    spills: deps.dirs.spills,
    clock: deps.clock,
    onGrew: () => deps.onGrew(parts.id),
    onClosed: () => deps.onClosed(parts.id),
  });

/** What follows the last line end: a record that lost only its line end, or the start of one. */
const tailAfter = async (
  path: string,
  { end }: FoldedFile,
  size: number,
): Promise<'none' | 'whole' | 'torn'> => {
  const length = size - end;
  if (length <= 0) return 'none';
  const bytes = length > MAX_RECORD_BYTES ? null : await readRange(path, end, length);
  const { kind } = decodeFileLine({ bytes, length });
  return kind === 'ok' || kind === 'unknown' ? 'whole' : 'torn';
};

const refusalOf = (state: StrandState, id: StrandId, tail: 'none' | 'whole' | 'torn'): string | null => {
  if (state.readOnly !== null) return state.readOnly;
  if (state.seq === 0 && tail !== 'whole') {
    return 'The first line is not a whole header, so this file cannot be used as a session.';
  }
  if (state.header !== null && state.header.strand !== id) {
    return `This file is a copy: its name says ${id}, its header ${state.header.strand}.`;
  }
  return null;
};

/** Fault `held` or `read_only` when it cannot be opened for another reason than damaged lines. */
export const acceptBadLines = async (
  deps: OpenDeps,
  at: StrandLocation,
): Promise<{ readonly accepted: number }> => {
  const opened = await openStrand(deps, at, { acceptBad: true });
  switch (opened.kind) {
    case 'held':
      throw new BridgeError('held', `This session is open in ${opened.holder}.`, {
        data: { holder: opened.holder },
      });
    case 'read_only':
      throw new BridgeError('read_only', opened.reason, { data: { reason: opened.reason } });
    case 'open':
      await opened.writer.close();
      return { accepted: opened.accepted };
  }
};

/** A new file with nothing in it, open for writing. Fault `io`; then nothing stays behind. */
export const createEmpty = async (deps: OpenDeps, at: StrandLocation): Promise<OpenStrand> => {
  const lease = leaseOf(deps, at.id);
  if (lease.kind === 'held') throw new BridgeError('held', `This session is open in ${lease.holder}.`);
  try {
    const file = await createAppendFile(at.file, { isOurs: lease.lock.isOurs });
    return writerOf(deps, { id: at.id, state: emptyStrand(), file, lease: lease.lock });
  } catch (error) {
    lease.lock.release();
    throw error;
  }
};

/** For a file whose header could not be written: it holds nothing that anybody was promised. */
export const abandon = async (writer: OpenStrand): Promise<void> => {
  try {
    await writer.close();
  } finally {
    await removeFile(writer.file);
  }
};
