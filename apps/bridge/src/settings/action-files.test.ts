/** The folder that other programs read: written by one bridge, cleared after a dead one, never taken from a stranger. */
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import type { RuntimeActions } from '@skein/core/restore/runtime-actions';
import { expect, test } from 'vitest';
import { tempDir } from '../../test/strands-kit.ts';
import { readProcessIdentity } from '../platform/host.ts';
import { openActionFiles } from './action-files.ts';
import { sha256Hex } from './secrets.ts';

const STRAND = '0123456789ab' as StrandId;
const US = readProcessIdentity();
const ACTIONS: RuntimeActions = {
  schema: 2,
  strand: STRAND,
  actions: [
    { id: 'undo', enabled: true, reason: null },
    { id: 'redo', enabled: false, reason: 'There is nothing to redo.' },
  ],
  tip: 'r00000000001',
  revision: 4,
  result: null,
};
const open = async (runtimeDir: string) => {
  const opened = await openActionFiles({ runtimeDir, process: US, nowMs: Date.now });
  if (opened.kind !== 'open') throw new Error(opened.reason);
  return opened.files;
};

test('a session has its file, and all are gone after the bridge', async () => {
  using dir = tempDir();
  const files = await open(dir.path);
  await files.put(ACTIONS);
  const path = join(dir.path, 'sessions', `${sha256Hex(STRAND)}.json`);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(ACTIONS);
  await files.drop(STRAND);
  expect(existsSync(path)).toBe(false);
  await files.put(ACTIONS);
  await files.close();
  expect(readdirSync(join(dir.path, 'sessions'))).toEqual([]);
});

const leave = (path: string, marker: object | null): void => {
  mkdirSync(join(path, 'sessions'));
  writeFileSync(join(path, 'sessions', `${'a'.repeat(64)}.json`), '{}');
  writeFileSync(join(path, 'sessions', 'notes.txt'), 'mine');
  if (marker !== null) writeFileSync(join(path, 'sessions', 'bridge.json'), JSON.stringify(marker));
};

test.each([
  ['whose process is gone', { ...US, pid: 2 ** 22 + 9 }],
  ['whose pid another process has by now', { ...US, start: '1' }],
  ['of an earlier boot', { ...US, boot: 'before' }],
])('what a bridge left %s is cleared, and nothing else', async (_, marker) => {
  using dir = tempDir();
  leave(dir.path, marker);
  await open(dir.path);
  expect(readdirSync(join(dir.path, 'sessions')).toSorted()).toEqual(['bridge.json', 'notes.txt']);
});

test.each([
  ['has no marker', null],
  ['has a marker of somebody else', { who: 'other' }],
  ['is of a bridge that lives', US],
  ['is of another machine', { ...US, host: 'elsewhere', pid: 2 ** 22 + 9 }],
  ['is of another container, and young', { ...US, ns: 'other', pid: 2 ** 22 + 9 }],
])('a folder that %s is left as it is', async (_, marker) => {
  using dir = tempDir();
  leave(dir.path, marker);
  const before = readdirSync(join(dir.path, 'sessions'));
  expect((await openActionFiles({ runtimeDir: dir.path, process: US, nowMs: Date.now })).kind).toBe(
    'foreign',
  );
  expect(readdirSync(join(dir.path, 'sessions'))).toEqual(before);
});

test('what another container left is cleared after a day', async () => {
  using dir = tempDir();
  leave(dir.path, { ...US, ns: 'other' });
  const yesterday = Date.now() / 1000 - 25 * 60 * 60;
  for (const name of ['bridge.json', '.']) utimesSync(join(dir.path, 'sessions', name), yesterday, yesterday);
  await open(dir.path);
});
