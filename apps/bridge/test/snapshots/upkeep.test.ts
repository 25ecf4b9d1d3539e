/** Retention of saved versions: what goes, what never does, and what is said about it afterwards. */
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readProcessIdentity } from '../../src/platform/host.ts';
import { newOpId, newStrandId } from '../../src/platform/ids.ts';
import { takeLock } from '../../src/platform/lock.ts';
import { parseJournal } from '../../src/snapshots/journal-lines.ts';
import { namedContents } from '../../src/snapshots/upkeep/journals.ts';
import { DAY, HOUR, upkeepOn } from './upkeep-kit.ts';
import { createWorkbench, quickFolder, treeOf, type Workbench, write } from './workbench.ts';

const bench = (failpoint?: (name: string) => void): Workbench =>
  createWorkbench({ base: quickFolder(), ...(failpoint === undefined ? {} : { failpoint }) });
const journalOf = (at: Workbench, strand = at.strand): string =>
  join(at.dataDir, 'snapshots', 'journals', `${strand}.jsonl`);
const entriesOf = (at: Workbench) => parseJournal(readFileSync(journalOf(at))).entries;

test('after the time of retention the versions of a session go, and its undo says so', async () => {
  await using at = bench();
  const turn = await at.turn((gate) => write(gate, 'a', 'new'));
  const late = upkeepOn(at, { laterMs: 7.1 * DAY });
  late.age(2 * HOUR);
  expect(await late.upkeep.run()).toMatchObject({ expired: 1 });
  expect(late.blobs()).toEqual([]);
  const before = treeOf(at.root);
  await expect(at.undo(turn, { expects: ['a'] })).rejects.toMatchObject({
    code: 'nothing_to_undo',
    message: expect.stringContaining('removed after 7 days'),
    data: { reason: 'expired', why: 'age' },
  });
  await expect(at.preview(turn)).rejects.toMatchObject({ code: 'nothing_to_undo' });
  expect(treeOf(at.root)).toEqual(before);
  expect(await at.preview(turn, { scope: 'chat' })).toMatchObject({ files: [] });
});

test('within the time everything stays and can be undone', async () => {
  await using at = bench();
  writeFileSync(at.path('a'), 'old');
  const turn = await at.turn((gate) => write(gate, 'a', 'new'));
  const early = upkeepOn(at, { laterMs: 6.9 * DAY });
  early.age(8 * DAY);
  expect(await early.upkeep.run()).toMatchObject({ expired: 0, freed: 0 });
  await at.undo(turn);
  expect(readFileSync(at.path('a'), 'utf8')).toBe('old');
});

test('a session that was used since counts from then', async () => {
  await using at = bench();
  await at.turn((gate) => write(gate, 'a', 'new'));
  const used = Date.now() + 5 * DAY;
  const late = upkeepOn(at, { laterMs: 10 * DAY, sessions: async () => new Map([[at.strand, used]]) });
  expect(await late.upkeep.run()).toMatchObject({ expired: 0 });
});

test('forever means forever', async () => {
  await using at = bench();
  await at.turn((gate) => write(gate, 'a', 'new'));
  const late = upkeepOn(at, { laterMs: 5000 * DAY, limits: { retentionDays: 'forever' } });
  late.age(5000 * DAY);
  expect(await late.upkeep.run()).toMatchObject({ expired: 0, freed: 0 });
});

test('a session that somebody uses is not touched, however old it is', async () => {
  await using at = bench();
  const turn = await at.turn((gate) => write(gate, 'a', 'new'));
  const late = upkeepOn(at, { laterMs: 30 * DAY, limits: { maxBytes: 1 } });
  late.age(30 * DAY);
  late.inUse.add(at.strand);
  expect(await late.upkeep.run()).toMatchObject({ expired: 0, freed: 0, inUse: 1 });
  expect(await late.upkeep.purge({})).toMatchObject({ expired: 0, inUse: 1 });
  await at.undo(turn);
  expect(existsSync(at.path('a'))).toBe(false);
});

test('a session that a crash left open is not touched', async () => {
  await using at = bench();
  await at.turn((gate) => write(gate, 'a', 'new'));
  writeFileSync(journalOf(at).replace('.jsonl', '.open'), '{"turn":null,"at":""}\n');
  const late = upkeepOn(at, { laterMs: 30 * DAY });
  late.age(30 * DAY);
  const saved = readFileSync(journalOf(at));
  expect(await late.upkeep.run()).toMatchObject({ expired: 0, inUse: 1 });
  await late.upkeep.purge({});
  expect(readFileSync(journalOf(at)).equals(saved)).toBe(true);
  expect(late.blobs()).toHaveLength(1);
});

test('a restore that was cut off keeps its session', async () => {
  await using at = bench((name) => {
    if (name === 'restore.after-intent') throw new Error('cut off');
  });
  const turn = await at.turn((gate) => write(gate, 'a', 'new'));
  await expect(at.undo(turn)).rejects.toThrow();
  rmSync(journalOf(at).replace('.jsonl', '.open'), { force: true });
  const late = upkeepOn(at, { laterMs: 30 * DAY });
  const saved = readFileSync(journalOf(at));
  expect(await late.upkeep.run()).toMatchObject({ expired: 0, inUse: 1 });
  expect(readFileSync(journalOf(at)).equals(saved)).toBe(true);
});

test('a session that is used between the look and the lease is kept', async () => {
  await using at = bench();
  await at.turn((gate) => write(gate, 'a', 'new'));
  let used = 0;
  const late = upkeepOn(at, {
    laterMs: 30 * DAY,
    sessions: async () => new Map([[at.strand, used]]),
    onLease: () => {
      used = Date.now() + 30 * DAY;
    },
  });
  expect(await late.upkeep.run()).toMatchObject({ expired: 0 });
});

test('over the limit the oldest turn goes first; the others can still be undone', async () => {
  await using at = bench();
  const first = await at.turn((gate) => write(gate, 'a', 'one'));
  await new Promise((done) => setTimeout(done, 5));
  const second = await at.turn((gate) => write(gate, 'b', 'two'));
  const tight = upkeepOn(at, { limits: { maxBytes: 3 } });
  tight.age(2 * HOUR);
  expect(await tight.upkeep.run()).toEqual({ expired: 1, freed: 3, inUse: 0 });
  expect(tight.blobs()).toHaveLength(1);
  await expect(at.undo(first)).rejects.toMatchObject({
    message: expect.stringContaining('its size limit'),
  });
  await at.undo(second);
  expect(existsSync(at.path('b'))).toBe(false);
});

test('the redo of a restore that was given up is refused in words', async () => {
  await using at = bench();
  const turn = await at.turn((gate) => write(gate, 'a', 'one'));
  const op = newOpId();
  await at.undo(turn, { op });
  const late = upkeepOn(at, { laterMs: 8 * DAY });
  await late.upkeep.run();
  await expect(at.redo(op)).rejects.toMatchObject({ code: 'nothing_to_redo', data: { reason: 'expired' } });
  expect(existsSync(at.path('a'))).toBe(false);
});

test('a journal keeps one line for each reason, whatever is given up later', async () => {
  await using at = bench();
  const turns = [];
  for (const name of ['a', 'b', 'c']) {
    turns.push(await at.turn((gate) => write(gate, name, name)));
    await upkeepOn(at, { laterMs: 8 * DAY }).upkeep.run();
  }
  expect(entriesOf(at)).toMatchObject([{ kind: 'expired', reason: 'age', days: 7, turns }]);
});

test('lines that cannot be read keep their turns, and the contents they name', async () => {
  await using at = bench();
  const first = await at.turn(async (gate) => {
    await write(gate, 'a', 'one');
    await write(gate, 'c', 'three');
  });
  await at.turn((gate) => write(gate, 'b', 'two'));
  const lines = readFileSync(journalOf(at), 'utf8').split('\n');
  lines[0] = (lines[0] ?? '').replace('"by":"gate"', '"by":"gatf"');
  writeFileSync(journalOf(at), lines.join('\n'));
  const tight = upkeepOn(at, { limits: { maxBytes: 1 } });
  tight.age(2 * HOUR);
  await tight.upkeep.run();
  const left = readFileSync(journalOf(at), 'utf8').split('\n');
  expect(left.slice(1)).toEqual([lines[0], lines[1], '']);
  expect(tight.blobs().some((name) => lines[0]?.includes(name))).toBe(true);
  await expect(at.undo(first)).rejects.toMatchObject({ code: 'unreadable' });
});

test('a torn line at the end stays torn, and the journal can be written afterwards', async () => {
  await using at = bench();
  await at.turn((gate) => write(gate, 'a', 'one'));
  await new Promise((done) => setTimeout(done, 5));
  const second = await at.turn((gate) => write(gate, 'b', 'two'));
  appendFileSync(journalOf(at), '{"id":"torn');
  const tight = upkeepOn(at, { limits: { maxBytes: 3 } });
  expect(await tight.upkeep.run()).toMatchObject({ expired: 1 });
  await at.undo(second);
  expect(existsSync(at.path('b'))).toBe(false);
  expect(parseJournal(readFileSync(journalOf(at))).bad).toEqual([]);
});

test('a content without a line stays for its hour, then goes', async () => {
  await using at = bench();
  await at.turn((gate) => write(gate, 'a', 'one'));
  rmSync(journalOf(at));
  const now = upkeepOn(at);
  expect(now.blobs()).toHaveLength(1);
  await now.upkeep.run();
  expect(now.blobs()).toHaveLength(1);
  now.age(1.1 * HOUR);
  await now.upkeep.run();
  expect(now.blobs()).toEqual([]);
});

test('a content that a killed upkeep had moved aside is back after the next one', async () => {
  await using at = bench();
  writeFileSync(at.path('a'), 'old');
  const turn = await at.turn((gate) => write(gate, 'a', 'new'));
  const blobs = join(at.dataDir, 'snapshots', 'blobs');
  mkdirSync(join(blobs, 'aside'));
  for (const path of globSync(join(blobs, '??', '*'))) renameSync(path, join(blobs, 'aside', basename(path)));
  await upkeepOn(at).upkeep.run();
  await at.undo(turn);
  expect(readFileSync(at.path('a'), 'utf8')).toBe('old');
});

test('a journal that cannot be read stops the sweep, since it may name anything', async () => {
  await using at = bench();
  await expect(namedContents([at.root])).rejects.toMatchObject({ code: 'io' });
});

test('two upkeeps never run at once', async () => {
  await using at = bench();
  await at.turn((gate) => write(gate, 'a', 'one'));
  mkdirSync(join(at.dataDir, 'state', 'locks'), { recursive: true });
  const lock = takeLock(join(at.dataDir, 'state', 'locks', 'upkeep.lock'), {
    process: readProcessIdentity(),
    purpose: 'upkeep',
  });
  const { upkeep } = upkeepOn(at);
  await expect(upkeep.run()).rejects.toMatchObject({ code: 'busy' });
  await expect(upkeep.purge({})).rejects.toMatchObject({ code: 'busy' });
  if (lock.kind === 'locked') lock.lock.release();
  await upkeep.run();
});

test('the journal of a session that is gone goes to the trash, its contents with the trash', async () => {
  await using at = bench();
  await at.turn((gate) => write(gate, 'a', 'one'));
  const sessions = async () => new Map([[newStrandId(), Date.now()]]);
  const early = upkeepOn(at, { laterMs: 6 * DAY, sessions });
  early.age(3 * HOUR);
  await early.upkeep.run();
  expect(existsSync(journalOf(at))).toBe(true);
  const late = upkeepOn(at, { laterMs: 8 * DAY, sessions });
  await late.upkeep.run();
  expect(existsSync(journalOf(at))).toBe(false);
  expect(readdirSync(join(at.dataDir, 'trash'))).toHaveLength(1);
  expect(late.blobs()).toHaveLength(1);
  const later = upkeepOn(at, { laterMs: 16 * DAY, sessions });
  await later.upkeep.run();
  expect(readdirSync(join(at.dataDir, 'trash'))).toEqual([]);
  expect(later.blobs()).toEqual([]);
});

test.each([
  ['cannot be told', async () => null],
  ['are all away', async () => new Map()],
])('while sessions %s no journal counts as old or left behind', async (_, sessions) => {
  await using at = bench();
  await at.turn((gate) => write(gate, 'a', 'one'));
  const late = upkeepOn(at, { laterMs: 90 * DAY, sessions });
  const saved = readFileSync(journalOf(at));
  expect(await late.upkeep.run()).toMatchObject({ expired: 0 });
  expect(readFileSync(journalOf(at)).equals(saved)).toBe(true);
  await late.upkeep.purge({});
  expect(existsSync(journalOf(at))).toBe(true);
});

test('a purge takes everything at once, young contents too', async () => {
  await using at = bench();
  const turn = await at.turn((gate) => write(gate, 'a', 'secret'));
  const now = upkeepOn(at, { laterMs: 2000 });
  expect(await now.upkeep.purge({})).toMatchObject({ expired: 1, inUse: 0 });
  expect(now.blobs()).toEqual([]);
  await expect(at.undo(turn)).rejects.toMatchObject({ message: expect.stringContaining('by a purge') });
  expect(readFileSync(at.path('a'), 'utf8')).toBe('secret');
});

test('a purge beside a session at work leaves what that may be saving', async () => {
  await using at = bench();
  await at.turn((gate) => write(gate, 'a', 'about to be named'));
  rmSync(journalOf(at));
  const now = upkeepOn(at, { laterMs: 2000 });
  now.inUse.add(newStrandId());
  await now.upkeep.purge({});
  expect(now.blobs()).toHaveLength(1);
});

test('an upkeep that is told to stop ends between two steps', async () => {
  await using at = bench();
  await at.turn((gate) => write(gate, 'a', 'one'));
  const late = upkeepOn(at, { laterMs: 8 * DAY });
  expect(await late.upkeep.run(AbortSignal.abort())).toMatchObject({ expired: 0, freed: 0 });
});
