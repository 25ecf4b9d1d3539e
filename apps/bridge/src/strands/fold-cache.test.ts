import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answer, prompt, strandBytes, tempDir } from '../../test/strands-kit.ts';
import { createFoldCache } from './fold-cache.ts';
import { foldFile } from './fold-file.ts';

const bodies = [prompt('one'), answer('two'), answer('three')];

const setUp = (path: string) => {
  const bytes = strandBytes('aaaaaaaaaaaa', bodies);
  writeFileSync(path, bytes);
  return { bytes, folds: createFoldCache(1e6) };
};

test('a file that grew is folded on, and the result is the fold of the whole', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'strand');
  const { bytes, folds } = setUp(path);
  for (let length = 1; length <= bytes.length; length += 40) {
    writeFileSync(path, bytes.subarray(0, length));
    expect(await folds.fold(path)).toEqual(await foldFile(path));
  }
});

test('readers of the same moment get the same fold', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'strand');
  const { folds } = setUp(path);
  appendFileSync(path, 'damaged\n');
  const [a, b, c] = await Promise.all([folds.fold(path), folds.fold(path), folds.fold(path)]);
  expect(a).toBe(b);
  expect(c?.state.bad).toHaveLength(1);
  expect(folds.peek(path)).toBe(a);
});

test('a last record that was taken back and written differently is seen', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'strand');
  const { bytes, folds } = setUp(path);
  await folds.fold(path);
  const other = strandBytes('aaaaaaaaaaaa', [...bodies, answer('four, and longer than before')]);
  const end = bytes.subarray(0, -1).lastIndexOf(10) + 1;
  truncateSync(path, end);
  appendFileSync(path, other.subarray(other.subarray(0, -1).lastIndexOf(10) + 1));
  expect(readFileSync(path).length).toBeGreaterThan(bytes.length);
  expect([...(await folds.fold(path)).state.nodes.keys()]).toEqual([
    ...(await foldFile(path)).state.nodes.keys(),
  ]);
});

test('the oldest folds go when there are too many bytes', async () => {
  using dir = tempDir();
  const paths = ['a', 'b', 'c'].map((name) => join(dir.path, name));
  const size = strandBytes('aaaaaaaaaaaa', bodies).length;
  const folds = createFoldCache(2 * size + 10);
  for (const path of paths) {
    writeFileSync(path, strandBytes('aaaaaaaaaaaa', bodies));
    await folds.fold(path);
  }
  expect(paths.map((path) => folds.peek(path) !== null)).toEqual([false, true, true]);
});

test('what may not be read yet is not folded, and is folded on from once it may', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'strand');
  const { bytes, folds } = setUp(path);
  const line = bytes.indexOf(10) + 1;
  const early = await folds.fold(path, () => line);
  expect(early).toMatchObject({ end: line, key: { size: line }, state: { seq: 1 } });
  expect(folds.peek(path)).toBeNull();
  expect(await folds.fold(path)).toEqual(await foldFile(path));
});
