/** Saved versions on disk: how they lie there, and that no read trusts them blindly. */
import { createHash, randomBytes } from 'node:crypto';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDir } from './tree-files.ts';
import { copyBlob, hasBlob, readBlob, storeBytes, storeFound } from './tree-files-blobs.ts';

const setUp = () => {
  const dir = mkdtempSync(join(tmpdir(), 'skein-blobs-'));
  const files = (): string[] => globSync('??/*', { cwd: dir }).toSorted();
  const fileOf = (sha256: string): string => join(dir, globSync(`??/${sha256}*`, { cwd: dir })[0] ?? '');
  const copied = async (sha256: string): Promise<Buffer> => {
    const target = join(dir, 'copy');
    const handle = await open(target, 'w');
    try {
      await copyBlob(dir, sha256, handle);
    } finally {
      await handle.close();
    }
    return readFileSync(target);
  };

  return {
    dir,
    files,
    fileOf,
    copied,
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
};

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const text = (length: number): Buffer =>
  Buffer.from('const answer = 42; // the same again\n'.repeat(length)).subarray(0, length);

test.each([0, 1, 255, 256, 65_535, 65_536, 65_537, 1_000_003])(
  'a text of %i bytes comes back byte by byte',
  async (length) => {
    using at = setUp();
    const bytes = text(length);
    const name = await storeBytes(at.dir, bytes);
    expect(name).toBe(sha(bytes));
    expect((await at.copied(name)).equals(bytes)).toBe(true);
    expect(Buffer.from((await readBlob(at.dir, name)) ?? []).equals(bytes)).toBe(true);
    expect(hasBlob(at.dir, name, length)).toBe(true);
    expect(hasBlob(at.dir, name, length + 1)).toBe(false);
  },
);

test('text takes less room than it has bytes, noise takes no more', async () => {
  using at = setUp();
  const name = await storeBytes(at.dir, text(100_000));
  expect(at.files()).toEqual([`${name.slice(0, 2)}/${name}.z`]);
  expect(statSync(at.fileOf(name)).size).toBeLessThan(5000);
  const noise = randomBytes(100_000);
  expect(statSync(at.fileOf(await storeBytes(at.dir, noise))).size).toBe(noise.length);
});

test('a large file of a workspace is stored as a stream and comes back the same', async () => {
  using at = setUp();
  const bytes = Buffer.concat([text(3_000_000), randomBytes(700_000), text(500)]);
  mkdirSync(join(at.dir, 'work'));
  writeFileSync(join(at.dir, 'work', 'big'), bytes);
  const opened = openDir(join(at.dir, 'work'), []);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const found = await storeFound(
    { folder: at.dir, synced: new Set(), durable: new Set() },
    opened.dir,
    Buffer.from('big'),
  );
  opened.dir.close();
  expect(found).toMatchObject({ type: 'file', sha256: sha(bytes), sizeBytes: bytes.length });
  expect((await at.copied(sha(bytes))).equals(bytes)).toBe(true);
  expect(statSync(at.fileOf(sha(bytes))).size).toBeLessThan(bytes.length / 2);
});

test('a version that an older Skein kept raw is read, and not stored a second time', async () => {
  using at = setUp();
  const bytes = text(5000);
  mkdirSync(join(at.dir, sha(bytes).slice(0, 2)));
  writeFileSync(join(at.dir, sha(bytes).slice(0, 2), sha(bytes)), bytes);
  await storeBytes(at.dir, bytes);
  expect(at.files()).toEqual([`${sha(bytes).slice(0, 2)}/${sha(bytes)}`]);
  expect((await at.copied(sha(bytes))).equals(bytes)).toBe(true);
});

test('a raw version of the wrong length is replaced', async () => {
  using at = setUp();
  const bytes = text(5000);
  mkdirSync(join(at.dir, sha(bytes).slice(0, 2)));
  writeFileSync(join(at.dir, sha(bytes).slice(0, 2), sha(bytes)), bytes.subarray(0, 4000));
  await storeBytes(at.dir, bytes);
  expect((await at.copied(sha(bytes))).equals(bytes)).toBe(true);
});

test.each([
  ['a flipped bit', (path: string) => flip(path, 60)],
  ['a flipped bit in its header', (path: string) => flip(path, 11)],
  ['a lost header', (path: string) => flip(path, 0)],
])('a deflated version with %s is never given out', async (_, harm) => {
  using at = setUp();
  const name = await storeBytes(at.dir, text(50_000));
  harm(at.fileOf(name));
  await expect(at.copied(name)).rejects.toMatchObject({ code: 'unreadable' });
  expect(await readBlob(at.dir, name)).toBeNull();
});

test('a deflated version that was cut short does not count as there', async () => {
  using at = setUp();
  const name = await storeBytes(at.dir, text(50_000));
  const path = at.fileOf(name);
  truncateSync(path, statSync(path).size - 1);
  expect(hasBlob(at.dir, name, 50_000)).toBe(false);
  await expect(at.copied(name)).rejects.toMatchObject({ code: 'unreadable' });
  await storeBytes(at.dir, text(50_000));
  expect(hasBlob(at.dir, name, 50_000)).toBe(true);
});

test('storing a content again makes it young', async () => {
  using at = setUp();
  const name = await storeBytes(at.dir, text(5000));
  utimesSync(at.fileOf(name), 1000, 1000);
  await storeBytes(at.dir, text(5000));
  expect(Date.now() - statSync(at.fileOf(name)).mtimeMs).toBeLessThan(60_000);
});

const flip = (path: string, offset: number): void => {
  const bytes = readFileSync(path);
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  writeFileSync(path, bytes);
};
