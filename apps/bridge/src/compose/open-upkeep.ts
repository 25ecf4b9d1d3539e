/** Upkeep of saved versions, with what only the whole process knows: sessions, leases, settings. */
import { join } from 'node:path';
import { withDefaults } from '@skein/core/config/resolve';
import { isBridgeError } from '@skein/core/protocol/errors';
import { type StrandId, strandIdSchema } from '@skein/core/record/ids';
import type { RunningTurns } from '../agents/running-turns.ts';
import { systemClock } from '../platform/clock.ts';
import { listDir } from '../platform/files.ts';
import type { ProcessIdentity } from '../platform/host.ts';
import { newRecordId } from '../platform/ids.ts';
import { lockHolder, takeLock } from '../platform/lock.ts';
import { scanFile } from '../platform/scan-dir.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { TreeAccess } from '../snapshots/tree-access.ts';
import { createTreeUpkeep } from '../snapshots/upkeep/tree-stores.ts';
import type { Upkeep, UpkeepDeps } from '../snapshots/upkeep/types.ts';
import { createUpkeep } from '../snapshots/upkeep/upkeep.ts';
import { type DataDir, leasePath } from '../strands/data-dir.ts';
import { scanStrands } from '../strands/strand-files.ts';
import type { StrandStore } from '../strands/types.ts';
import type { WriterPool } from '../strands/writer-pool.ts';

export interface UpkeepParts {
  readonly data: DataDir;
  readonly identity: ProcessIdentity;
  readonly settings: Pick<SettingsStore, 'config'>;
  readonly running: Pick<RunningTurns, 'begin' | 'all' | 'isStopping'>;
  readonly pool: Pick<WriterPool, 'peek' | 'use'>;
  readonly trees: TreeAccess;
  readonly store: Pick<StrandStore, 'locate'>;
  readonly onFault: (error: unknown) => void;
}

export const openUpkeep = (parts: UpkeepParts): Upkeep => {
  const { data, identity, settings, onFault } = parts;
  return createUpkeep({
    dataDir: data.root,
    process: identity,
    clock: systemClock,
    newRecordId,
    sessions: () => sessionsIn(parts),
    async lastWritten(strand) {
      const at = await parts.store.locate(strand);
      return at === null ? null : (scanFile(at.file)?.mtimeMs ?? null);
    },
    withLease: withLease(parts),
    anyInUse: () => isAnyInUse(parts),
    limits: async () => withDefaults((await settings.config()).config).snapshots,
    trees: createTreeUpkeep({
      reposDir: join(data.snapshots, 'repos'),
      trashDir: data.trash,
      nowMs: systemClock.nowMs,
      git: parts.trees.kind === 'trees' ? parts.trees.store : null,
      forget: async (key) => (parts.trees.kind === 'trees' ? parts.trees.store.forget(key) : undefined),
    }),
    onFault,
  });
};

/** Null when the folder cannot be read: then no session may be taken for gone. */
const sessionsIn = async ({ data, onFault }: UpkeepParts): ReturnType<UpkeepDeps['sessions']> => {
  try {
    const { strands, subagents } = await scanStrands(data.strands);
    return new Map([...strands, ...subagents].map(({ id, mtimeMs }) => [id, mtimeMs]));
  } catch (error) {
    if (!isBridgeError(error)) throw error;
    onFault(error);
    return null;
  }
};

/**
 * The place of a turn keeps prompts and restores of this process out; the lease keeps out every other process. A writer
 * of ours that nobody uses right now holds the lease for us.
 */
const withLease =
  (parts: UpkeepParts): UpkeepDeps['withLease'] =>
  async (strand, work) => {
    if (parts.running.isStopping()) return 'in_use';
    const begun = parts.running.begin(strand);
    if (begun === null) return 'in_use';
    try {
      if (parts.pool.peek(strand) !== undefined) {
        await parts.pool.use(strand, work);
        return 'done';
      }
      return await underLease(parts, strand, work);
    } finally {
      begun.finish();
    }
  };

const underLease = async (
  { data, identity }: UpkeepParts,
  strand: StrandId,
  work: () => Promise<void>,
): Promise<'done' | 'in_use'> => {
  const lease = takeLock(leasePath(data, strand), { process: identity, purpose: 'clearing up' });
  if (lease.kind === 'held') return 'in_use';
  try {
    await work();
    return 'done';
  } finally {
    lease.lock.release();
  }
};

const LEASE = '.lease';

/** Turns and restores of this process, and any lease of another one: more cannot be seen from outside. */
const isAnyInUse = async ({ running, data, identity }: UpkeepParts): Promise<boolean> => {
  if (running.all().length > 0) return true;
  for (const { name } of await listDir(data.leases)) {
    const id = name?.endsWith(LEASE) === true ? strandIdSchema.safeParse(name.slice(0, -LEASE.length)) : null;
    if (id?.success !== true) continue;
    const holder = lockHolder(leasePath(data, id.data), identity);
    if (holder !== null && !isUs(holder, identity)) return true;
  }
  return false;
};

const isUs = (holder: ProcessIdentity, us: ProcessIdentity): boolean =>
  holder.host === us.host && holder.ns === us.ns && holder.pid === us.pid && holder.start === us.start;
