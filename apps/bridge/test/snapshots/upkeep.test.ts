/** Retention, sweeping and purge: what is in use stays, what goes is said, nothing of the user's files is touched. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { readProcessIdentity } from '../../src/platform/host.ts';
import { takeLock } from '../../src/platform/lock.ts';
import { createUpkeep, type Upkeep } from '../../src/snapshots/upkeep/upkeep.ts';
import type { UpkeepDeps } from '../../src/snapshots/upkeep/upkeep-deps.ts';
import { openTestTrees } from './test-trees.ts';
import { createWorkbench, never, treeOf, type Workbench, write } from './workbench.ts';

const DAY = 24 * 3600_000;

const aBench = async (): Promise<Workbench> => {
  const plain = createWorkbench();
  const base = dirname(plain.root);
  mkdirSync(join(base, 'home'));
  execFileSync('git', ['init', '-q', plain.root]);
  return createWorkbench({ base, trees: await openTestTrees(plain.dataDir, join(base, 'home')) });
};

const upkeepOf = async (bench: Workbench, more: Partial<UpkeepDeps> = {}): Promise<Upkeep> => {
  const trees = await openTestTrees(bench.dataDir, join(dirname(bench.root), 'home'));
  return createUpkeep({
    dataDir: bench.dataDir,
    git: trees.git,
    process: readProcessIdentity(),
    nowMs: Date.now,
    policy: async () => ({ retentionDays: 7, maxBytes: 1e9 }),
    lastUsedMs: async () => Date.now(),
    isInUse: async () => false,
    forgetStore: (key) => trees.store.forget(key),
    ...more,
  });
};

const journalOf = (bench: Workbench, strand: StrandId = bench.strand): string =>
  join(bench.dataDir, 'snapshots', 'journals', `${strand}.jsonl`);

const blobsOf = (bench: Workbench): string[] =>
  Object.keys(treeOf(join(bench.dataDir, 'snapshots', 'blobs'))).filter((name) => /[0-9a-f]{64}$/.test(name));

/** As if nobody had touched the snapshots for so long. */
const age = (bench: Workbench, days: number): void => {
  const then = new Date(Date.now() - days * DAY);
  for (const name of blobsOf(bench)) utimesSync(join(bench.dataDir, 'snapshots', 'blobs', name), then, then);
  if (existsSync(journalOf(bench))) utimesSync(journalOf(bench), then, then);
};

test('what a session needs stays while it is used, whatever its age', async () => {
  await using bench = await aBench();
  const turn = await bench.turn((gate) => write(gate, 'x', '1'));
  age(bench, 30);
  const cleanup = await (await upkeepOf(bench)).clean();
  expect(cleanup.expired).toBe(0);
  expect((await bench.undo(turn)).applied).toBe(true);
});

test('a session that was not used for longer lets its versions go, through the trash, and undo then touches nothing', async () => {
  await using bench = await aBench();
  writeFileSync(bench.path('x'), 'before');
  const turn = await bench.turn((gate) => write(gate, 'x', 'after'));
  age(bench, 8);
  const upkeep = await upkeepOf(bench, { lastUsedMs: async () => Date.now() - 8 * DAY });
  expect((await upkeep.clean()).expired).toBe(1);
  expect(existsSync(journalOf(bench))).toBe(false);
  expect(blobsOf(bench)).toEqual([]);
  expect(readdirSync(join(bench.dataDir, 'trash')).length).toBe(1);
  await expect(bench.undo(turn, { expects: ['x'] })).rejects.toMatchObject({ code: 'unreadable' });
  expect(readFileSync(bench.path('x'), 'utf8')).toBe('after');
});

test('"forever" keeps everything', async () => {
  await using bench = await aBench();
  await bench.turn((gate) => write(gate, 'x', '1'));
  age(bench, 3000);
  const upkeep = await upkeepOf(bench, {
    lastUsedMs: async () => 0,
    policy: async () => ({ retentionDays: 'forever', maxBytes: 1e9 }),
  });
  expect((await upkeep.clean()).expired).toBe(0);
  expect(existsSync(journalOf(bench))).toBe(true);
});

test('a session that somebody may be writing is never touched', async () => {
  await using bench = await aBench();
  await bench.turn((gate) => write(gate, 'x', '1'));
  age(bench, 30);
  const upkeep = await upkeepOf(bench, { lastUsedMs: async () => 0, isInUse: async () => true });
  expect((await upkeep.clean()).expired).toBe(0);
  expect(existsSync(journalOf(bench))).toBe(true);
  await expect(upkeep.purge(undefined)).rejects.toMatchObject({ code: 'busy' });
});

test('over the limit of bytes the session that was not used for longest goes first', async () => {
  await using bench = await aBench();
  const other = bench.newStrand();
  await bench.turn((gate) => write(gate, 'old', 'o'.repeat(5000)));
  await bench.turn((gate) => write(gate, 'new', 'n'.repeat(5000)), { strand: other });
  age(bench, 1);
  utimesSync(journalOf(bench, other), new Date(), new Date());
  const upkeep = await upkeepOf(bench, {
    lastUsedMs: async (strand) => (strand === other ? Date.now() : Date.now() - DAY),
    policy: async () => ({ retentionDays: 'forever', maxBytes: 6000 }),
  });
  expect((await upkeep.clean()).expired).toBe(1);
  expect(existsSync(journalOf(bench))).toBe(false);
  expect(existsSync(journalOf(bench, other))).toBe(true);
});

test('a version that nobody names goes after its grace; a young one, and one that is saved again, stay', async () => {
  await using bench = await aBench();
  const upkeep = await upkeepOf(bench);
  const turn = await bench.turn((gate) => write(gate, 'x', 'content'));
  rmSync(journalOf(bench));
  await upkeep.clean();
  expect(blobsOf(bench).length, 'young').toBe(1);
  age(bench, 1);
  await bench.turn((gate) => write(gate, 'y', 'content'));
  rmSync(journalOf(bench));
  await upkeep.clean();
  expect(blobsOf(bench).length, 'saved again just now').toBe(1);
  age(bench, 1);
  await upkeep.clean();
  expect(blobsOf(bench)).toEqual([]);
  expect(turn).toBeDefined();
});

test('a journal with a damaged line keeps every version: it may name any of them', async () => {
  await using bench = await aBench();
  await bench.turn((gate) => write(gate, 'x', '1'));
  writeFileSync(journalOf(bench), `damaged\n${readFileSync(journalOf(bench), 'utf8')}`);
  age(bench, 1);
  const before = blobsOf(bench);
  await (await upkeepOf(bench)).clean();
  expect(blobsOf(bench)).toEqual(before);
});

test('sizes are told by workspace; purge deletes at once, and the next turn begins anew', async () => {
  await using bench = await aBench();
  writeFileSync(bench.path('x'), 'before\n');
  await bench.turn(async (gate) => {
    await gate.beforeUngated('sh', never);
    writeFileSync(bench.path('x'), 'after\n');
  });
  const upkeep = await upkeepOf(bench);
  const usage = await upkeep.usage();
  expect(usage.stores).toMatchObject([{ workspace: bench.root, kind: 'git', turns: 1, gone: false }]);
  expect(usage.total).toBeGreaterThan(usage.stores[0]?.bytes ?? 0);
  expect((await upkeep.purge(undefined)).freed).toBeGreaterThan(0);
  expect((await upkeep.usage()).stores).toEqual([]);
  expect(readFileSync(bench.path('x'), 'utf8')).toBe('after\n');
});

test('a store whose folder vanished is evicted to the trash only after a day without use', async () => {
  await using bench = await aBench();
  writeFileSync(bench.path('x'), '1');
  await bench.turn(async (gate) => {
    await gate.beforeUngated('sh', never);
    writeFileSync(bench.path('x'), '2');
  });
  rmSync(bench.root, { recursive: true });
  await (await upkeepOf(bench)).clean();
  expect((await (await upkeepOf(bench)).usage()).stores.map(({ gone }) => gone)).toEqual([true]);
  const later = await upkeepOf(bench, { nowMs: () => Date.now() + 2 * DAY });
  await later.clean();
  expect((await later.usage()).stores).toEqual([]);
  expect(readdirSync(join(bench.dataDir, 'trash')).some((name) => name.endsWith('.git'))).toBe(true);
});

test('one upkeep at a time, whichever process it is', async () => {
  await using bench = await aBench();
  const locks = join(bench.dataDir, 'state', 'locks');
  mkdirSync(locks, { recursive: true });
  const held = takeLock(join(locks, 'upkeep.lock'), { process: readProcessIdentity(), purpose: 'test' });
  await expect((await upkeepOf(bench)).clean()).rejects.toMatchObject({ code: 'busy' });
  if (held.kind === 'locked') held.lock.release();
});
