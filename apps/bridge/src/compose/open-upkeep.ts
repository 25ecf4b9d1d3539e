/** Upkeep of the snapshots, wired to who uses what; in a bridge it runs by itself. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { RunningTurns } from '../agents/running-turns.ts';
import { systemClock } from '../platform/clock.ts';
import { statIfThere } from '../platform/files.ts';
import type { Git } from '../platform/git.ts';
import type { ProcessIdentity } from '../platform/host.ts';
import { lockHolder } from '../platform/lock.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { TreeAccess } from '../snapshots/tree-access.ts';
import type { SnapshotStore } from '../snapshots/types.ts';
import { createUpkeep, type Upkeep } from '../snapshots/upkeep/upkeep.ts';
import { type DataDir, leasePath } from '../strands/data-dir.ts';
import type { StrandStore } from '../strands/types.ts';

const DEFAULT_DAYS = 7;
const DEFAULT_BYTES = 10 * 1024 * 1024 * 1024;
const FIRST_MS = 2000;
const EVERY_MS = 3600_000;

export interface UpkeepParts {
  readonly data: DataDir;
  readonly process: ProcessIdentity;
  readonly git: Git | null;
  readonly settings: Pick<SettingsStore, 'config'>;
  readonly store: Pick<StrandStore, 'locate'>;
  readonly snapshots: Pick<SnapshotStore, 'unsettled'>;
  readonly running: Pick<RunningTurns, 'get'>;
  readonly trees: TreeAccess;
}

export const openUpkeep = (parts: UpkeepParts): Upkeep => {
  const { data, process, git, settings, store, snapshots, running, trees } = parts;
  return createUpkeep({
    dataDir: data.root,
    git,
    process,
    nowMs: systemClock.nowMs,
    async policy() {
      const { snapshots: wanted = {} } = (await settings.config()).config;
      return {
        retentionDays: wanted.retentionDays ?? DEFAULT_DAYS,
        maxBytes: wanted.maxBytes ?? DEFAULT_BYTES,
      };
    },
    async lastUsedMs(strand) {
      const at = await store.locate(strand);
      const stat = at === null ? null : await statIfThere(at.file);
      return stat === null ? null : Number(stat.mtimeMs);
    },
    async isInUse(strand) {
      if (running.get(strand) !== undefined || lockHolder(leasePath(data, strand), process) !== null)
        return true;
      return (await snapshots.unsettled()).includes(strand);
    },
    forgetStore: async (key) => (trees.kind === 'trees' ? trees.store.forget(key) : undefined),
  });
};

/** Off every request's way; what fails is told and tried again. Returns the end of it. */
export const startUpkeep = (
  upkeep: Pick<Upkeep, 'clean'>,
  onFault: (error: unknown) => void,
): (() => void) => {
  const clean = (): void => {
    upkeep.clean().catch((error: unknown) => {
      // Another process does it just now.
      if (!(error instanceof BridgeError && error.code === 'busy')) onFault(error);
    });
  };
  const first = setTimeout(clean, FIRST_MS);
  const every = setInterval(clean, EVERY_MS);
  first.unref();
  every.unref();
  return () => {
    clearTimeout(first);
    clearInterval(every);
  };
};
