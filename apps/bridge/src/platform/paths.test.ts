import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test/strands-kit.ts';
import {
  isInside,
  networkTypeIn,
  realPathOfFuture,
  resolveConfigDir,
  resolveDataDir,
  slugOf,
} from './paths.ts';

const linux = { platform: 'linux', home: '/h' } as const;

test.each([
  [{ ...linux, skeinDataDir: '/d', xdgDataHome: '/x' }, '/d'],
  [{ ...linux, xdgDataHome: '/x' }, '/x/skein'],
  [{ ...linux, xdgDataHome: 'relative' }, '/h/.local/share/skein'],
  [{ ...linux, skeinDataDir: '', xdgDataHome: '' }, '/h/.local/share/skein'],
  [{ platform: 'darwin', home: '/h' } as const, '/h/Library/Application Support/skein'],
])('data directory of %o', (env, expected) => {
  expect(resolveDataDir(env)).toBe(expected);
});

test('config directory', () => {
  expect(resolveConfigDir(linux)).toBe('/h/.config/skein');
  expect(resolveConfigDir({ ...linux, xdgConfigHome: '/c' })).toBe('/c/skein');
});

test('two folders never share a slug, whatever their names (TRAPS V22, A45)', () => {
  const paths = [
    '/a/b-c',
    '/a-b/c',
    '/データ/x',
    '/資料/x',
    '/',
    `/${'長'.repeat(300)}`,
    `/${'長'.repeat(299)}`,
  ];
  const slugs = paths.map(slugOf);
  expect(new Set(slugs).size).toBe(paths.length);
  expect(slugs[0]).toMatch(/^b-c-[0-9a-f]{16}$/);
  for (const slug of slugs) expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(255);
  expect(slugs.join('')).not.toContain('\ufffd');
});

test('a linked folder has the real path of its target, also below it', async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, 'real'));
  symlinkSync('real', join(dir.path, 'link'));
  expect(await realPathOfFuture(join(dir.path, 'link', 'new', 'folder'))).toBe(
    join(dir.path, 'real', 'new', 'folder'),
  );
});

test('inside is not a prefix of names', () => {
  expect([isInside('/a/b', '/a'), isInside('/a', '/a'), isInside('/ab', '/a'), isInside('/a', '/')]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

const TABLE = [
  '22 1 254:0 / / rw - ext4 /dev/vda rw',
  '30 22 0:40 / /mnt/share rw - nfs4 server:/export rw',
  '31 22 0:41 / /mnt/with\\040space rw - cifs //s/x rw',
  '32 22 0:42 / /mnt/ssh rw shared:1 - fuse.sshfs u@h: rw',
  '33 30 0:43 / /mnt/share/local rw - ext4 /dev/vdb rw',
  '34 22 0:44 / /mnt/image rw - fuse.squashfuse squashfuse rw',
].join('\n');

test.each([
  ['/home/u', null],
  ['/mnt/share/x', 'nfs4'],
  ['/mnt/sharepoint', null],
  ['/mnt/with space/x', 'cifs'],
  ['/mnt/ssh', 'fuse.sshfs'],
  ['/mnt/share/local/x', null],
  ['/mnt/image', null],
])('the file system of %s is %s', (path, expected) => {
  expect(networkTypeIn(TABLE, path)).toBe(expected);
});
