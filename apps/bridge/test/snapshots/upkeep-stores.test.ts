/** Upkeep of tree stores, as far as they are folders: sizes, eviction, purge. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { TurnId } from '@skein/core/record/ids';
import { encodeJsonLine } from '@skein/core/record/json-line';
import { expect, test } from 'vitest';
import { newRecordId } from '../../src/platform/ids.ts';
import { DAY, HOUR, upkeepOn } from './upkeep-kit.ts';
import { createWorkbench, quickFolder, type Workbench } from './workbench.ts';

const bench = (): Workbench => createWorkbench({ base: quickFolder() });

/** A turn whose contents lie in a tree store. */
const treeTurn = (at: Workbench, store: string, daysAgo = 0): TurnId => {
  const turn = newRecordId();
  const dir = join(at.dataDir, 'snapshots', 'journals');
  mkdirSync(dir, { recursive: true });
  const line = encodeJsonLine({
    id: newRecordId(),
    at: new Date(Date.now() - daysAgo * DAY).toISOString(),
    kind: 'mutation',
    turn,
    call: 'c',
    path: 'a',
    pre: { type: 'absent' },
    post: { type: 'file', sha256: '0'.repeat(64), bytes: 1, mode: 0o644 },
    madeDirs: [],
    temp: null,
    by: 'shell',
    trees: { store, pre: null, post: 'f'.repeat(40) },
  });
  appendFileSync(join(dir, `${at.strand}.jsonl`), line);
  return turn;
};

test('usage names every store with its workspace, bytes and turns, the largest first', async () => {
  await using at = bench();
  const { upkeep, makeStore } = upkeepOn(at);
  makeStore('small', at.root, { bytes: 10 });
  const broken = makeStore('large', at.root, { bytes: 5000 });
  writeFileSync(join(broken, 'skein.json'), 'no json');
  treeTurn(at, 'small');
  treeTurn(at, 'small');
  const usage = await upkeep.usage();
  expect(usage.stores).toMatchObject([
    { key: 'large', workspace: null, turns: 0, gone: false },
    { key: 'small', workspace: at.root, turns: 2, gone: false },
  ]);
  expect(usage.total).toBe(
    usage.stores.reduce((sum, { bytes }) => sum + bytes, usage.blobs + usage.journals + usage.trash),
  );
  expect(usage.journals).toBeGreaterThan(100);
});

test('a turn that expires is released in its store, then the store is cleared up', async () => {
  await using at = bench();
  const late = upkeepOn(at, { laterMs: 8 * DAY });
  late.makeStore('s', at.root);
  const turn = treeTurn(at, 's');
  expect(await late.upkeep.run()).toMatchObject({ expired: 1 });
  expect(late.released).toEqual([{ key: 's', strand: at.strand, turns: [turn] }]);
  expect(late.gcs).toEqual(['s']);
});

test('when a store cannot release a turn its lines stay, and the fault is told', async () => {
  await using at = bench();
  const git = {
    releaseTurns: async () => Promise.reject(new Error('git failed')),
    gcStore: async () => undefined,
  };
  const late = upkeepOn(at, { laterMs: 8 * DAY, git });
  late.makeStore('s', at.root);
  treeTurn(at, 's');
  expect(await late.upkeep.run()).toMatchObject({ expired: 0 });
  expect(late.faults).toHaveLength(1);
  expect((await late.upkeep.usage()).stores).toMatchObject([{ turns: 1 }]);
});

test('without git the turns of a store stay until the store is purged', async () => {
  await using at = bench();
  const late = upkeepOn(at, { laterMs: 8 * DAY, git: 'none' });
  const dir = late.makeStore('s', at.root);
  treeTurn(at, 's');
  expect(await late.upkeep.run()).toMatchObject({ expired: 0 });
  expect(await late.upkeep.purge({ key: 's' })).toMatchObject({ expired: 1 });
  expect(existsSync(dir)).toBe(false);
});

test('a store whose workspace is gone goes to the trash, and from there after a week', async () => {
  await using at = bench();
  const now = upkeepOn(at);
  const dir = now.makeStore('C# proj; 2', join(at.outside, 'C# proj; 2'), { ageMs: 2 * DAY });
  writeFileSync(join(at.outside, 'something'), '');
  await now.upkeep.run();
  expect(existsSync(dir)).toBe(false);
  expect(readdirSync(join(at.dataDir, 'trash'))).toHaveLength(1);
  await upkeepOn(at, { laterMs: 6.9 * DAY }).upkeep.run();
  expect(readdirSync(join(at.dataDir, 'trash'))).toHaveLength(1);
  await upkeepOn(at, { laterMs: 7.1 * DAY }).upkeep.run();
  expect(readdirSync(join(at.dataDir, 'trash'))).toHaveLength(0);
});

test.each<[string, (at: Workbench, dir: string) => void, { ageMs?: number; forever?: boolean }]>([
  ['its workspace is there', (at) => mkdirSync(join(at.outside, 'gone')), {}],
  ['it was used today', () => undefined, { ageMs: HOUR }],
  ['its metadata cannot be read', (_, dir) => writeOld(join(dir, 'skein.json'), '{"v":1}'), {}],
  ['its metadata is of a newer Skein', (_, dir) => writeOld(join(dir, 'skein.json'), '{"v":2}'), {}],
  ['its metadata is missing', (_, dir) => removeOld(dir, 'skein.json'), {}],
  [
    'a gc of the last day may be at work',
    (_, dir) => writeOld(join(dir, 'gc.pid'), '1 host', 1.5 * HOUR),
    {},
  ],
  ['the folder above is an empty mount point', (at) => rmSync(join(at.outside, 'something')), {}],
  ['everything is kept forever', () => undefined, { forever: true }],
])('a store stays when %s', async (_, change, { ageMs = 2 * DAY, forever = false }) => {
  await using at = bench();
  writeFileSync(join(at.outside, 'something'), '');
  const now = upkeepOn(at, { limits: { retentionDays: forever ? 'forever' : 7 } });
  const dir = now.makeStore('s', join(at.outside, 'gone'), { ageMs });
  change(at, dir);
  await now.upkeep.run();
  expect(existsSync(dir)).toBe(true);
});

test('a store over its limit gives up its oldest turns as long as that helps', async () => {
  await using at = bench();
  const gone: string[] = [];
  let dir = '';
  const git = {
    releaseTurns: async (_key: string, _strand: string, turns: readonly TurnId[]) => void gone.push(...turns),
    gcStore: async () =>
      writeFileSync(join(dir, 'objects', 'pack', 'pack-1.pack'), Buffer.alloc(1000 - gone.length * 100)),
  };
  const now = upkeepOn(at, { limits: { maxBytes: 900 }, git });
  dir = now.makeStore('s', at.root);
  const turns = [5, 4, 3, 2, 1].map((daysAgo) => treeTurn(at, 's', daysAgo));
  expect(await now.upkeep.run()).toMatchObject({ expired: 2, freed: 200 });
  expect(gone).toEqual(turns.slice(0, 2));
});

test('what a killed git left in a store goes after an hour', async () => {
  await using at = bench();
  const now = upkeepOn(at);
  const dir = now.makeStore('s', at.root);
  const [old, young] = ['tmp_pack_old', 'tmp_obj_young'].map((name) => join(dir, 'objects', 'pack', name));
  writeOld(old ?? '', 'x', 1.1 * HOUR);
  writeOld(young ?? '', 'x', 0.9 * HOUR);
  expect(await now.upkeep.run()).toMatchObject({ freed: 1 });
  expect(readdirSync(join(dir, 'objects', 'pack')).toSorted()).toEqual(['pack-1.pack', 'tmp_obj_young']);
});

test('a purge of one store leaves the others', async () => {
  await using at = bench();
  const now = upkeepOn(at);
  const [one, two] = [now.makeStore('one', at.root), now.makeStore('two', at.root)];
  treeTurn(at, 'one');
  treeTurn(at, 'two');
  expect(await now.upkeep.purge({ key: 'one' })).toMatchObject({ expired: 1 });
  expect([existsSync(one), existsSync(two)]).toEqual([false, true]);
  expect((await now.upkeep.usage()).stores).toMatchObject([{ key: 'two', turns: 1 }]);
  await expect(now.upkeep.purge({ key: 'one' })).rejects.toMatchObject({ code: 'not_found' });
});

test('a purge while somebody is at work deletes no store, only what it no longer keeps', async () => {
  await using at = bench();
  const now = upkeepOn(at);
  const dir = now.makeStore('s', at.root);
  treeTurn(at, 's');
  now.inUse.add(at.strand);
  expect(await now.upkeep.purge({})).toMatchObject({ expired: 0, inUse: 1 });
  expect(existsSync(dir)).toBe(true);
  expect(now.gcs).toEqual(['s']);
});

function writeOld(path: string, text: string, ageMs = 2 * DAY): void {
  writeFileSync(path, text);
  const at = (Date.now() - ageMs) / 1000;
  utimesSync(path, at, at);
  utimesSync(join(path, '..'), at, at);
}

function removeOld(dir: string, name: string): void {
  rmSync(join(dir, name));
  const at = (Date.now() - 2 * DAY) / 1000;
  utimesSync(dir, at, at);
}
