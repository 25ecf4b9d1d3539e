import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test/strands-kit.ts';
import { readProcessIdentity } from '../platform/host.ts';
import { takeLock } from '../platform/lock.ts';
import { runtimeDirOf } from '../settings/runtime.ts';
import { openDataDir } from '../strands/data-dir.ts';
import { sweepOldTemps } from './sweep-temps.ts';

test('temps of a crash go wherever files are replaced, those of a minute ago and all else stay', async () => {
  using dir = tempDir();
  const data = await openDataDir(join(dir.path, 'data'));
  const configDir = join(dir.path, 'config');
  const name = (file: string, unique: string): string => `.${file}.${unique}.skein-tmp`;
  const folders = [
    data.root,
    data.state,
    join(data.state, 'queues'),
    runtimeDirOf(data.root, readProcessIdentity().host),
    join(data.spills, 'tmp'),
    join(data.snapshots, 'journals'),
    configDir,
  ];
  const old = folders.map((folder) => join(folder, name('page.json', '0123456789ab')));
  const kept = [join(data.state, name('page.json', 'ba9876543210')), join(data.state, 'page.json')];
  for (const path of [...old, ...kept]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
  const yesterday = Date.now() / 1000 - 25 * 60 * 60;
  for (const path of [...old, join(data.state, 'page.json')]) utimesSync(path, yesterday, yesterday);
  const said: string[] = [];
  const log = { info: () => undefined, warn: (message: string) => void said.push(message) };
  await sweepOldTemps({ data, configDir, process: readProcessIdentity(), log });
  expect(old.filter((path) => existsSync(path))).toEqual([]);
  expect(kept.filter((path) => existsSync(path))).toEqual(kept);
  expect(said).toEqual([]);
});

test('a folder that cannot be swept is a line in the log and keeps nothing from starting', async () => {
  using dir = tempDir();
  const data = await openDataDir(join(dir.path, 'data'));
  writeFileSync(join(dir.path, 'config'), 'no folder');
  const said: string[] = [];
  const log = { info: () => undefined, warn: (message: string) => void said.push(message) };
  await sweepOldTemps({ data, configDir: join(dir.path, 'config'), process: readProcessIdentity(), log });
  expect(said).toMatchObject([expect.stringContaining('ENOTDIR')]);
});

test('what a crash left beside a lock goes after a day; locks, and what a living process holds, stay', async () => {
  using dir = tempDir();
  const data = await openDataDir(join(dir.path, 'data'));
  const process = readProcessIdentity();
  const nonce = '0123456789ab0123456789ab';
  const [lease, lock] = [join(data.leases, '0123456789ab.lease'), join(data.state, 'bridge.lock')];
  mkdirSync(join(data.state, 'locks'));
  const old = [
    `${lease}.${nonce}`,
    `${lock}.${nonce}.over`,
    `${lock}.${nonce}.over.${nonce}`,
    join(data.state, 'locks', `${'a'.repeat(64)}.${nonce}`),
  ];
  const kept = [lease, lock, join(data.state, `notes.${nonce}`), join(data.leases, `fresh.lease.${nonce}`)];
  for (const path of [...old, ...kept]) writeFileSync(path, '{}');
  const held = takeLock(`${lease}.living.over`, { process, purpose: 'taking over' });
  const yesterday = Date.now() / 1000 - 25 * 60 * 60;
  for (const path of [...old, ...kept.slice(0, 3), `${lease}.living.over`])
    utimesSync(path, yesterday, yesterday);
  const log = { info: () => undefined, warn: () => undefined };
  await sweepOldTemps({ data, configDir: join(dir.path, 'config'), process, log });
  expect(old.filter((path) => existsSync(path))).toEqual([]);
  expect(kept.filter((path) => existsSync(path))).toEqual(kept);
  expect(held.kind === 'locked' && held.lock.isOurs()).toBe(true);
});
