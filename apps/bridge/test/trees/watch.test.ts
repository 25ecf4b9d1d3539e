import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

const watched = (deps: { readonly maxWatches?: number } = {}): Promise<TreeBench> =>
  createTreeBench({ deps: { watch: true, ...deps } });

const files = (bench: TreeBench, names: readonly string[]): void => {
  for (const name of names) {
    mkdirSync(join(bench.path(name), '..'), { recursive: true });
    writeFileSync(bench.path(name), name);
  }
};

/** A capture that trusts the watcher, and is right. */
const expectQuick = async (bench: TreeBench): Promise<void> => {
  const capture = await bench.capture();
  expect(capture.isFull).toBe(false);
  expect(capture.tree).toBe(bench.treeByGit());
};

test('a quick capture sees every way in which files and folders change', async () => {
  await using bench = await watched();
  const p = bench.path;
  const outside = join(bench.home, 'outside');
  mkdirSync(join(outside, 'in/deep'), { recursive: true });
  writeFileSync(join(outside, 'in/deep/f'), 'from outside');
  files(bench, ['a', 'b', 'd/x', 'd/e/y', 'k/z']);
  expect((await bench.capture()).isFull).toBe(true);
  await expectQuick(bench);
  const steps: Record<string, () => void> = {
    edit: () => appendFileSync(p('a'), '+'),
    'edit of the same size': () => writeFileSync(p('a'), 'A+'),
    create: () => writeFileSync(p('d/new'), 'new'),
    'exec bit': () => chmodSync(p('b'), 0o755),
    delete: () => rmSync(p('d/x')),
    'rename of a file': () => renameSync(p('b'), p('k/b')),
    'rename of a folder': () => renameSync(p('d'), p('dd')),
    'edit in a renamed folder': () => writeFileSync(p('dd/e/y'), 'edited'),
    'rename of a file over another': () => renameSync(p('k/b'), p('k/z')),
    'nested folders made and filled at once': () => files(bench, ['n/1/2/3/f', 'n/1/g']),
    'edit deep in it': () => appendFileSync(p('n/1/2/3/f'), '+'),
    'moved in': () => renameSync(join(outside, 'in'), p('in')),
    'edit of what was moved in': () => appendFileSync(p('in/deep/f'), '+'),
    'moved out': () => renameSync(p('in'), join(outside, 'in')),
    'edit outside': () => appendFileSync(join(outside, 'in/deep/f'), '+'),
    'moved in again': () => renameSync(join(outside, 'in'), p('in')),
    'folder to link': () => {
      rmSync(p('in'), { recursive: true });
      symlinkSync(outside, p('in'));
    },
    'link to folder': () => {
      rmSync(p('in'));
      files(bench, ['in/deep/f']);
    },
    'two folders change places': () => {
      renameSync(p('n'), p('t'));
      renameSync(p('in'), p('n'));
      renameSync(p('t'), p('in'));
    },
    'edit in both': () => files(bench, ['n/deep/f2', 'in/1/g2']),
    'all gone': () => {
      for (const name of ['a', 'dd', 'in', 'k', 'n']) rmSync(p(name), { recursive: true });
    },
  };
  for (const [name, step] of Object.entries(steps)) {
    step();
    const capture = await bench.capture();
    expect([name, capture.isFull, capture.tree]).toEqual([name, false, bench.treeByGit()]);
  }
});

test('a folder removed and made again is another folder, whatever its inode', async () => {
  await using bench = await watched();
  files(bench, ['d/old', 'd/e/f', 'keep']);
  await bench.capture();
  for (let at = 0; at < 8; at += 1) {
    execFileSync('/bin/sh', ['-c', `rm -rf d && mkdir -p d/e && echo ${at} > d/e/f`], { cwd: bench.root });
    await expectQuick(bench);
    // Nobody tells the parent of this one.
    writeFileSync(bench.path('d/e/late'), String(at));
    await expectQuick(bench);
  }
});

test('a work tree moved away and replaced is watched anew', async () => {
  // Without git, so that nothing but the folder itself tells that it is another one.
  await using bench = await createTreeBench({ isRepo: false, deps: { watch: true } });
  files(bench, ['a', 'd/b']);
  await bench.capture();
  renameSync(bench.root, join(bench.home, 'moved'));
  mkdirSync(bench.root);
  files(bench, ['d/c']);
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
  files(bench, ['d/later', 'root']);
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
});

test('a work tree that is gone is a fault, not a tree without files', async () => {
  await using bench = await watched();
  files(bench, ['a', 'd/b']);
  const tree = await bench.tree();
  const before = await tree.capture();
  renameSync(bench.root, join(bench.home, 'moved'));
  await expect(tree.capture()).rejects.toMatchObject({ code: 'not_found' });
  renameSync(join(bench.home, 'moved'), bench.root);
  expect((await tree.capture()).tree).toBe(before.tree);
});

test('a hard-linked file written through its other name is seen', async () => {
  await using bench = await watched();
  const outside = join(bench.home, 'other');
  writeFileSync(outside, 'one');
  linkSync(outside, bench.path('shared'));
  await bench.capture();
  writeFileSync(outside, 'two, written outside');
  await expectQuick(bench);
});

test('what is written right after a capture is seen by the next', async () => {
  await using bench = await watched();
  writeFileSync(bench.path('f'), '000');
  await bench.capture();
  for (let at = 0; at < 10; at += 1) {
    writeFileSync(bench.path('f'), String(at).padStart(3, '0'));
    const capturing = bench.capture();
    writeFileSync(bench.path('f'), String(at + 500));
    writeFileSync(bench.path(`g${at}`), '');
    await capturing;
    await expectQuick(bench);
  }
});

test('a capture of a changed file does not look at the others', async () => {
  await using bench = await watched();
  files(bench, ['a', 'b']);
  await bench.capture();
  await bench.capture();
  const tree = await bench.tree();
  expect((await tree.capture()).isFull).toBe(false);
  expect(await tree.audit()).toEqual([]);
});

test('more changes than the system keeps lead to a full look, never to a wrong tree', async () => {
  await using bench = await watched();
  files(bench, ['a', 'late/x', 'many/first']);
  await bench.capture();
  // Synchronous, so that this process reads no event meanwhile and the queue of the kernel runs over.
  execFileSync('/bin/sh', ['-c', 'cd many; seq 20000 | xargs touch; cd ..; echo changed > late/x'], {
    cwd: bench.root,
  });
  const capture = await bench.capture();
  expect(capture.isFull).toBe(true);
  expect(capture.tree).toBe(bench.treeByGit());
  writeFileSync(bench.path('late/x'), 'again');
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
});

test('without a watch left every capture is a full one', async () => {
  await using bench = await watched({ maxWatches: 2 });
  files(bench, ['a', 'd/b']);
  expect((await bench.capture()).isFull).toBe(true);
  writeFileSync(bench.path('a'), 'changed');
  expect((await bench.capture()).isFull).toBe(false);
  files(bench, ['e/f']);
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
  writeFileSync(bench.path('e/f'), 'changed');
  const capture = await bench.capture();
  expect(capture.isFull).toBe(true);
  expect(capture.tree).toBe(bench.treeByGit());
});

test('an audit names what nobody told of', async () => {
  await using bench = await watched();
  files(bench, ['a', 'd/missed']);
  await bench.capture();
  const tree = await bench.tree();
  // A second name made outside after the capture, and written through: the system tells nobody in this folder.
  const other = join(bench.home, 'other');
  linkSync(bench.path('d/missed'), other);
  writeFileSync(other, 'written through the other name');
  writeFileSync(bench.path('a'), 'told');
  expect(await tree.audit()).toEqual(['d/missed']);
  expect(await tree.audit()).toEqual([]);
  expect((await tree.capture()).tree).toBe(bench.treeByGit());
});

test('a failed capture keeps what was told for the next one', async () => {
  let isBroken = false;
  await using bench = await createTreeBench({
    deps: {
      watch: true,
      failpoint: (name) => {
        if (isBroken && name === 'trees.before-seal') throw new Error('broken on purpose');
      },
    },
  });
  files(bench, ['a', 'd/b']);
  await bench.capture();
  isBroken = true;
  files(bench, ['d/c', 'e/f']);
  rmSync(bench.path('a'));
  await expect(bench.capture()).rejects.toThrow('broken on purpose');
  isBroken = false;
  await expectQuick(bench);
});
