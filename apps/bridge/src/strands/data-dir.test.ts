import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test/strands-kit.ts';
import { openDataDir } from './data-dir.ts';

test('a data directory is made private and says its version', async () => {
  using dir = tempDir();
  const dirs = await openDataDir(join(dir.path, 'new', 'data'));
  expect(JSON.parse(readFileSync(join(dirs.root, 'data.json'), 'utf8'))).toEqual({ v: 1 });
  for (const path of [dirs.root, dirs.strands, dirs.spills, dirs.leases]) {
    expect(statSync(path).mode & 0o777).toBe(0o700);
  }
  expect(statSync(join(dirs.root, 'data.json')).mode & 0o777).toBe(0o600);
});

test('a half-made one is finished, and what is in it stays', async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, 'strands', 'kept'), { recursive: true });
  writeFileSync(join(dir.path, 'strands', 'kept', 'file'), 'x');
  const dirs = await openDataDir(dir.path);
  expect(readFileSync(join(dirs.strands, 'kept', 'file'), 'utf8')).toBe('x');
  rmSync(dirs.leases, { recursive: true });
  await openDataDir(dir.path);
  expect(statSync(dirs.leases).isDirectory()).toBe(true);
});

test.each([
  ['{"v": 2}', 'incompatible'],
  ['{"v": "1"}', 'unreadable'],
  ['{', 'unreadable'],
  ['[]', 'unreadable'],
])('data.json with %s is refused as %s, and nothing is made', async (text, code) => {
  using dir = tempDir();
  writeFileSync(join(dir.path, 'data.json'), text);
  await expect(openDataDir(dir.path)).rejects.toMatchObject({ code });
  expect(() => statSync(join(dir.path, 'strands'))).toThrow();
  expect(readFileSync(join(dir.path, 'data.json'), 'utf8')).toBe(text);
});
