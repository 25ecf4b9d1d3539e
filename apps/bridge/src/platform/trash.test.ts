/** The trash, and when a folder counts as gone. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bytesBelow } from './disk-space.ts';
import { emptyTrash, isGoneTwice, moveToTrash } from './trash.ts';

const setUp = () => {
  const dir = mkdtempSync(join(tmpdir(), 'skein-trash-'));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
};

test('what was moved there is deleted after its time; what others put there never is', async () => {
  using at = setUp();
  const trash = join(at.dir, 'trash');
  mkdirSync(join(at.dir, 'store'));
  writeFileSync(join(at.dir, 'store', 'a'), '12345');
  expect(await moveToTrash(join(at.dir, 'store'), trash, 1_000_000)).toBe(true);
  expect(await moveToTrash(join(at.dir, 'store'), trash, 1_000_000)).toBe(false);
  expect(await bytesBelow(trash)).toBe(5);
  writeFileSync(join(trash, 'a session of the user'), '');
  expect(await emptyTrash(trash, { nowMs: 1_000_999, olderThanMs: 1000 })).toBe(0);
  expect(await emptyTrash(trash, { nowMs: 1_001_000, olderThanMs: 1000 })).toBe(1);
  expect(readdirSync(trash)).toEqual(['a session of the user']);
});

test('a folder is gone only when the system says so twice', async () => {
  using at = setUp();
  const path = join(at.dir, 'mount');
  expect(await isGoneTwice(path, 10)).toBe(true);
  const asked = isGoneTwice(path, 60);
  await sleep(20);
  mkdirSync(path);
  expect(await asked).toBe(false);
  writeFileSync(join(at.dir, 'file'), '');
  expect(await isGoneTwice(join(at.dir, 'file', 'below'), 1)).toBe(true);
});

test.skipIf(process.getuid?.() === 0)(
  'a folder behind one that cannot be opened is not known to be gone',
  async () => {
    using at = setUp();
    mkdirSync(join(at.dir, 'shut'));
    chmodSync(join(at.dir, 'shut'), 0);
    expect(await isGoneTwice(join(at.dir, 'shut', 'below'), 1)).toBe(false);
    chmodSync(join(at.dir, 'shut'), 0o700);
    expect(existsSync(join(at.dir, 'shut'))).toBe(true);
  },
);
