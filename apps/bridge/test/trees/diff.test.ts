import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesOf, during, unknownOf } from './diffs.ts';
import { createTreeBench } from './tree-bench.ts';

test('a diff over several captures goes from the first content to the last', async () => {
  await using bench = await createTreeBench();
  for (const name of ['back', 'gone', 'changed', 'same']) writeFileSync(bench.path(name), 'x');
  const tree = await bench.tree();
  const { diff } = await during(tree, async () => {
    writeFileSync(bench.path('back'), 'other');
    writeFileSync(bench.path('changed'), 'ab');
    writeFileSync(bench.path('passing'), 'never seen again');
    await tree.capture();
    writeFileSync(bench.path('back'), 'x');
    writeFileSync(bench.path('changed'), 'abc');
    rmSync(bench.path('passing'));
    rmSync(bench.path('gone'));
    writeFileSync(bench.path('new'), '1');
    await tree.capture();
    writeFileSync(bench.path('new'), '12');
  });
  expect(changesOf(diff)).toEqual({
    gone: 'file 644 1 > -',
    changed: 'file 644 1 > file 644 3',
    new: '- > file 644 2',
  });
  expect(unknownOf(diff)).toEqual({});
});

test('a diff names contents that the store has', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('f'), 'before');
  const { diff } = await during(await bench.tree(), () => writeFileSync(bench.path('f'), 'after'));
  if (diff === 'lost') throw new Error('lost');
  const [change] = diff.changes;
  expect(await bench.storeGit('cat-file', 'blob', change?.before?.oid ?? '')).toBe('before');
  expect(await bench.storeGit('cat-file', 'blob', change?.after?.oid ?? '')).toBe('after');
});

test('a folder that is replaced tells of each file in it', async () => {
  await using bench = await createTreeBench();
  mkdirSync(bench.path('d/e'), { recursive: true });
  for (const name of ['d/same', 'd/e/gone', 'd/changed']) writeFileSync(bench.path(name), name);
  const { diff } = await during(await bench.tree(), () => {
    renameSync(bench.path('d'), join(bench.home, 'd'));
    mkdirSync(bench.path('d'));
    writeFileSync(bench.path('d/same'), 'd/same');
    writeFileSync(bench.path('d/changed'), 'short');
  });
  expect(changesOf(diff)).toEqual({
    'd/changed': 'file 644 9 > file 644 5',
    'd/e/gone': 'file 644 8 > -',
  });
});

test('without a hold, after letting go and after a new start a diff is lost, never half of the truth', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('f'), '0');
  let tree = await bench.tree();
  const first = await tree.capture();
  writeFileSync(bench.path('f'), '1');
  const second = await tree.capture();
  expect(tree.diff(first, second)).toBe('lost');
  // Held too late: what changed until then was not kept.
  tree.hold(first);
  expect(tree.diff(first, second)).toBe('lost');
  tree.letGo(first);
  tree.hold(second);
  tree.hold(second);
  writeFileSync(bench.path('f'), '2');
  const third = await tree.capture();
  tree.letGo(second);
  expect(tree.isHeld()).toBe(true);
  expect(Object.keys(changesOf(tree.diff(second, third)))).toEqual(['f']);
  tree.letGo(second);
  expect(tree.isHeld()).toBe(false);
  expect(tree.diff(second, third)).toBe('lost');
  tree.hold(third);
  await bench.reopen();
  tree = await bench.tree();
  const fourth = await tree.capture();
  tree.hold(fourth);
  expect(tree.diff(third, await tree.capture())).toBe('lost');
});

test('another capture by somebody else between capture and hold is never left out of the diff', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('f'), '0');
  const tree = await bench.tree();
  const mine = await tree.capture();
  writeFileSync(bench.path('theirs'), '1');
  await tree.capture();
  tree.hold(mine);
  expect(tree.diff(mine, await tree.capture())).toBe('lost');
});

test('work trees that somebody holds stay open, however many are opened', async () => {
  await using bench = await createTreeBench({ isRepo: false });
  const tree = await bench.tree();
  const from = await tree.capture();
  tree.hold(from);
  for (let at = 0; at < 6; at += 1) {
    const other = join(bench.home, `other-${at}`);
    mkdirSync(other);
    await bench.open(other);
  }
  expect(await bench.tree()).toBe(tree);
  tree.letGo(from);
});

test('what was left out of a capture on the way is unknown, not created', async () => {
  await using bench = await createTreeBench({ deps: { maxFileBytes: 10 } });
  writeFileSync(bench.path('grows'), 'small');
  writeFileSync(bench.path('big'), 'much too large');
  writeFileSync(bench.path('other'), 'o');
  const tree = await bench.tree();
  const { diff } = await during(tree, async () => {
    writeFileSync(bench.path('grows'), 'larger than the limit');
    writeFileSync(bench.path('other'), 'changed');
    await tree.capture();
    writeFileSync(bench.path('grows'), 'shrunk');
    writeFileSync(bench.path('big'), 'fits');
  });
  expect(changesOf(diff)).toEqual({ other: 'file 644 1 > file 644 7' });
  expect(unknownOf(diff)).toEqual({ grows: 'too_large', big: 'too_large' });
});

test('a capture after everything that was known is gone loses the diff', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('f'), 'f');
  const tree = await bench.tree();
  const from = await tree.capture();
  tree.hold(from);
  rmSync(join(bench.dataDir, 'snapshots'), { recursive: true });
  const to = await (await bench.tree()).capture();
  expect(tree.diff(from, to)).toBe('lost');
  expect(await bench.storeGit('cat-file', 'blob', `${to.commit}:f`)).toBe('f');
});
