/** Removing blobs while others store them. */
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { listBlobs, putBackBlobs, sweepBlobs } from './tree-files-blob-sweep.ts';
import { hasBlob, readBlob, storeBytes } from './tree-files-blobs.ts';

const HOUR = 60 * 60 * 1000;

const setUp = () => {
  const dir = mkdtempSync(join(tmpdir(), 'skein-blobs-'));
  const age = (sha256: string, ms: number): void => {
    const at = (Date.now() - ms) / 1000;
    for (const path of globSync(join(dir, '??', `${sha256}*`))) utimesSync(path, at, at);
  };
  const store = async (text: string, ageMs: number): Promise<string> => {
    const name = await storeBytes(dir, Buffer.from(text));
    age(name, ageMs);
    return name;
  };
  return { dir, store, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
};
const has = async (dir: string, sha256: string): Promise<boolean> => (await readBlob(dir, sha256)) !== null;

test('what nobody names goes, raw or deflated; what is named or young stays', async () => {
  using at = setUp();
  const [raw, packed] = [await at.store('old', 2 * HOUR), await at.store('old '.repeat(1000), 2 * HOUR)];
  const [named, young] = [await at.store('named', 2 * HOUR), await at.store('young', HOUR / 2)];
  const swept = await sweepBlobs(at.dir, {
    isNeeded: (sha256) => sha256 === named,
    beforeMs: Date.now() - HOUR,
  });
  expect(swept.blobs).toBe(2);
  expect(swept.bytes).toBeGreaterThan(3);
  expect(await Promise.all([raw, packed, named, young].map((name) => has(at.dir, name)))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test.each([1, 2])('a content that is stored again right then stays (%i)', async (when) => {
  using at = setUp();
  const name = await at.store('needed again', 2 * HOUR);
  let calls = 0;
  await sweepBlobs(at.dir, {
    isNeeded: () => false,
    beforeMs: Date.now() - HOUR,
    between: async () => {
      calls += 1;
      if (calls === when) await storeBytes(at.dir, Buffer.from('needed again'));
    },
  });
  expect(calls).toBe(2);
  expect(await has(at.dir, name)).toBe(true);
  expect(hasBlob(at.dir, name, 12)).toBe(true);
});

test('what a crash left aside is put back', async () => {
  using at = setUp();
  const name = await at.store('aside', 2 * HOUR);
  const [path = ''] = globSync(join(at.dir, '??', `${name}*`));
  mkdirSync(join(at.dir, 'aside'));
  renameSync(path, join(at.dir, 'aside', basename(path)));
  await putBackBlobs(at.dir);
  expect(existsSync(path)).toBe(true);
  expect(await Array.fromAsync(listBlobs(at.dir))).toMatchObject([{ sha256: name }]);
});

test('storing and sweeping at once loses no content that was stored', async () => {
  using at = setUp();
  for (let round = 0; round < 30; round += 1) {
    const name = await at.store(`round ${round % 3}`, 2 * HOUR);
    const sweep = sweepBlobs(at.dir, { isNeeded: () => false, beforeMs: Date.now() - HOUR });
    await storeBytes(at.dir, Buffer.from(`round ${round % 3}`));
    await sweep;
    expect(await has(at.dir, name)).toBe(true);
  }
});
