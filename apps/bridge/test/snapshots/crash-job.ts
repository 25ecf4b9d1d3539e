/** The work that crash tests interrupt, in this process or in a child that is killed. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecoveryReport } from '@skein/core/protocol/restore';
import type { OpId, StrandId, TurnId } from '@skein/core/record/ids';
import { systemClock } from '../../src/platform/clock.ts';
import { readProcessIdentity } from '../../src/platform/host.ts';
import { newName, newRecordId } from '../../src/platform/ids.ts';
import { openSnapshotStore } from '../../src/snapshots/store.ts';
import { NO_TREES, remove, rethrow, write } from './workbench.ts';

export type Failpoint = (name: string) => void | Promise<void>;

export interface CrashJob {
  readonly base: string;
  readonly strand: StrandId;
  readonly op: OpId;
  readonly kind: 'undo' | 'redo' | 'recover' | 'write';
  /** The turn to undo or to run; for a redo, the operation to take back. */
  readonly turn: TurnId;
}

const recordedFile = ({ base }: Pick<CrashJob, 'base'>): string => join(base, 'recorded');

/** How often the strand got the record of this operation. */
export const timesRecorded = (job: CrashJob): number =>
  existsSync(recordedFile(job))
    ? readFileSync(recordedFile(job), 'utf8')
        .split('\n')
        .filter((line) => line === job.op).length
    : 0;

/** The work itself. `pid`: whose name the lock bears; a dead one for a crash that is only played. */
export const crashJob = async (
  job: CrashJob,
  failpoint: Failpoint,
  pid = process.pid,
): Promise<readonly RecoveryReport[]> => {
  const identity = readProcessIdentity();
  const store = openSnapshotStore({
    dataDir: join(job.base, 'data'),
    process: pid === process.pid ? identity : { ...identity, pid, start: '0' },
    clock: systemClock,
    newRecordId,
    newName,
    trees: NO_TREES,
    onFault: rethrow,
    failpoint,
  });
  const workspace = { strand: job.strand, root: join(job.base, 'work') };
  const record = async (op: OpId): Promise<void> => appendFileSync(recordedFile(job), `${op}\n`);
  switch (job.kind) {
    case 'undo':
    case 'redo': {
      const request = { strand: job.strand, direction: job.kind, scope: 'files' as const };
      const target = {
        turns: job.kind === 'undo' ? [job.turn] : [],
        redoes: job.kind === 'undo' ? null : (job.turn as string as OpId),
        op: job.op,
        to: null,
      };
      await store.apply(workspace, request, target, () => record(job.op));
      return [];
    }
    case 'recover':
      return store.recover(workspace, {
        isRecorded: () => timesRecorded(job) > 0,
        commit: ({ op }) => record(op),
      });
    case 'write': {
      const gate = await store.openGate({ ...workspace, cwd: workspace.root, turn: job.turn, forbidden: [] });
      await write(gate, 'a', 'a of the turn');
      await write(gate, 'a', 'a of the turn, again');
      await write(gate, 'made/deep/new', 'new');
      await remove(gate, 'gone');
      await gate.settle();
      return [];
    }
  }
};

/**
 * Stops the work for ever at its n-th failpoint, as a kill would, but without a process: a dead pid stands for its owner.
 * Returns the points that were reached, also when it came to its end or failed before.
 */
export const freezeAt = async (job: CrashJob, at: number): Promise<readonly string[]> => {
  const reached: string[] = [];
  const frozen = Promise.withResolvers<void>();
  const work = crashJob(
    job,
    async (name) => {
      reached.push(name);
      if (reached.length <= at) return;
      frozen.resolve();
      await new Promise(() => undefined);
    },
    2 ** 22 + 1,
  );
  await Promise.race([frozen.promise, work]);
  return reached;
};
