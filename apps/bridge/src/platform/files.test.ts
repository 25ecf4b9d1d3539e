import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test/strands-kit.ts';
import { listDir, makePrivateDir, readFileIfThere, sweepTemps, writeFileAtomic } from './files.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test.each([0o000, 0o022, 0o277])('folders are 0700 and files 0600 under umask %o', async (umask) => {
  using dir = tempDir();
  const before = process.umask(umask);
  try {
    await makePrivateDir(join(dir.path, 'a', 'b'));
    await writeFileAtomic(join(dir.path, 'a', 'b', 'f'), 'text');
    await writeFileAtomic(join(dir.path, 'a', 'b', 'x'), 'text', { mode: 0o755 });
  } finally {
    process.umask(before);
  }
  expect([modeOf(join(dir.path, 'a')), modeOf(join(dir.path, 'a', 'b'))]).toEqual(['700', '700']);
  expect([modeOf(join(dir.path, 'a', 'b', 'f')), modeOf(join(dir.path, 'a', 'b', 'x'))]).toEqual([
    '600',
    '755',
  ]);
});

test('a folder that is already there keeps its mode, a file in its place is a fault', async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, 'mine'), { mode: 0o755 });
  await makePrivateDir(join(dir.path, 'mine'));
  expect(modeOf(join(dir.path, 'mine'))).toBe('755');
  writeFileSync(join(dir.path, 'file'), '');
  await expect(makePrivateDir(join(dir.path, 'file'))).rejects.toMatchObject({
    code: 'io',
    data: { errno: 'EEXIST' },
  });
});

test('a replacement that fails leaves what was there, and no temp', async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, 'target'));
  writeFileSync(join(dir.path, 'target', 'kept'), 'kept');
  const failing = writeFileAtomic(join(dir.path, 'target'), 'new');
  await expect(failing).rejects.toMatchObject({
    code: 'io',
    message: expect.stringContaining('Saving a file failed'),
  });
  expect(readdirSync(dir.path)).toEqual(['target']);
  expect(readFileSync(join(dir.path, 'target', 'kept'), 'utf8')).toBe('kept');
});

test('temps that a crash left are swept once they are old, other files are not', async () => {
  using dir = tempDir();
  const old = '.settings.json.0123456789ab.skein-tmp';
  for (const name of [old, '.settings.json.ba9876543210.skein-tmp', 'settings.json', '.hidden']) {
    writeFileSync(join(dir.path, name), '');
  }
  utimesSync(join(dir.path, old), 1, 1);
  utimesSync(join(dir.path, '.hidden'), 1, 1);
  expect(await sweepTemps(dir.path, 60_000)).toBe(1);
  expect(existsSync(join(dir.path, old))).toBe(false);
  expect(readdirSync(dir.path)).toHaveLength(3);
});

test('a name that is not UTF-8 is listed by its bytes', async () => {
  using dir = tempDir();
  const name = Buffer.concat([Buffer.from(`${dir.path}/caf`), Buffer.from([0xe9])]);
  writeFileSync(name, '');
  const [entry] = await listDir(dir.path);
  expect(entry).toMatchObject({ name: null, kind: 'file' });
  expect(Buffer.from(entry?.bytes ?? [])).toEqual(Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  expect(await listDir(join(dir.path, 'absent'))).toEqual([]);
  expect(await readFileIfThere(join(dir.path, 'absent'))).toBeNull();
});

test.skipIf(process.platform !== 'linux')(
  'a place where no folder can be made is one fault, not an endless try',
  async () => {
    await expect(makePrivateDir('/proc/skein/data')).rejects.toMatchObject({ code: 'io' });
  },
);

test('a link that leads nowhere is no folder', async () => {
  using dir = tempDir();
  symlinkSync(join(dir.path, 'unmounted'), join(dir.path, 'link'));
  await expect(makePrivateDir(join(dir.path, 'link'))).rejects.toMatchObject({ code: 'io' });
  await expect(makePrivateDir(join(dir.path, 'link', 'data'))).rejects.toMatchObject({ code: 'io' });
});
