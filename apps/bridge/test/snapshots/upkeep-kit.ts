/** An upkeep over a workbench, at a time of its own, with sessions in memory. For tests. */
import { globSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { RetentionLimits } from '@skein/core/restore/retention';
import { readProcessIdentity } from '../../src/platform/host.ts';
import { newRecordId } from '../../src/platform/ids.ts';
import { createTreeUpkeep, type TreeStoreDeps } from '../../src/snapshots/upkeep/tree-stores.ts';
import type { Upkeep, UpkeepDeps } from '../../src/snapshots/upkeep/types.ts';
import { createUpkeep } from '../../src/snapshots/upkeep/upkeep.ts';
import type { Workbench } from './workbench.ts';

export const DAY = 24 * 60 * 60 * 1000;
export const HOUR = 60 * 60 * 1000;

export interface UpkeepBench {
  readonly upkeep: Upkeep;
  readonly deps: UpkeepDeps;
  /** Sessions whose lease somebody holds. */
  readonly inUse: Set<StrandId>;
  /** What every call of the two git functions was. */
  readonly released: { key: string; strand: StrandId; turns: readonly TurnId[] }[];
  readonly gcs: string[];
  readonly faults: unknown[];
  /** Names of contents in `blobs/`. */
  blobs(): readonly string[];
  /** Makes every content that old. */
  age(ms: number): void;
  makeStore(
    key: string,
    workspace: string,
    options?: { readonly bytes?: number; readonly ageMs?: number },
  ): string;
}

export const upkeepOn = (
  bench: Workbench,
  options: {
    readonly limits?: Partial<RetentionLimits>;
    /** How far ahead of now it runs. */
    readonly laterMs?: number;
    readonly sessions?: UpkeepDeps['sessions'];
    readonly git?: TreeStoreDeps['git'] | 'none';
    readonly onLease?: (strand: StrandId) => void;
  } = {},
): UpkeepBench => {
  const sessions = options.sessions ?? (async () => new Map([[bench.strand, 0]]));
  const nowMs = (): number => Date.now() + (options.laterMs ?? 0);
  const inUse = new Set<StrandId>();
  const released: UpkeepBench['released'] = [];
  const gcs: string[] = [];
  const faults: unknown[] = [];
  const reposDir = join(bench.dataDir, 'snapshots', 'repos');
  const git: TreeStoreDeps['git'] = {
    releaseTurns: async (key, strand, turns) => void released.push({ key, strand, turns }),
    gcStore: async (key) => void gcs.push(key),
  };
  const deps: UpkeepDeps = {
    dataDir: bench.dataDir,
    process: readProcessIdentity(),
    clock: { nowMs, nowIso: () => new Date(nowMs()).toISOString() },
    newRecordId,
    sessions,
    lastWritten: async (strand) => (await sessions())?.get(strand) ?? null,
    async withLease(strand, work) {
      options.onLease?.(strand);
      if (inUse.has(strand)) return 'in_use';
      await work();
      return 'done';
    },
    anyInUse: async () => inUse.size > 0,
    limits: async () => ({ retentionDays: 7, maxBytes: 1024 ** 4, minFreeBytes: 0, ...options.limits }),
    trees: createTreeUpkeep({
      reposDir,
      trashDir: join(bench.dataDir, 'trash'),
      nowMs,
      forget: async () => undefined,
      git: options.git === 'none' ? null : (options.git ?? git),
    }),
    onFault: (error) => faults.push(error),
  };
  const blobFiles = (): string[] => globSync(join(bench.dataDir, 'snapshots', 'blobs', '??', '*'));
  return {
    upkeep: createUpkeep(deps),
    deps,
    inUse,
    released,
    gcs,
    faults,
    blobs: () => blobFiles().map((path) => path.slice(path.lastIndexOf('/') + 1).replace('.z', '')),
    age(ms) {
      const at = (Date.now() - ms) / 1000;
      for (const path of blobFiles()) utimesSync(path, at, at);
    },
    makeStore(key, workspace, { bytes = 1000, ageMs = 0 } = {}) {
      const dir = join(reposDir, `${key}.git`);
      mkdirSync(join(dir, 'objects', 'pack'), { recursive: true });
      writeFileSync(join(dir, 'objects', 'pack', 'pack-1.pack'), Buffer.alloc(bytes));
      writeFileSync(join(dir, 'skein.json'), JSON.stringify({ v: 1, workspace, kind: 'folder' }));
      const at = (statSync(dir).mtimeMs - ageMs) / 1000;
      for (const path of [...globSync(join(dir, '**')), dir]) utimesSync(path, at, at);
      return dir;
    },
  };
};
