/** Random work on a small tree: what a quick capture says is always what git says. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf } from './diffs.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

const LONG = process.env['SKEIN_TEST_LONG'] === '1';
const name = fc.constantFrom('a', 'b', 'a/x', 'a/y', 'b/x', 'a/x/z', 'b/x/z', 'b/x/z/q');
const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), name, text: fc.string({ maxLength: 3 }) }),
  fc.record({ kind: fc.constant('append' as const), name, text: fc.string({ minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant('folder' as const), name }),
  fc.record({ kind: fc.constant('remove' as const), name }),
  fc.record({ kind: fc.constant('link' as const), name, to: name }),
  fc.record({ kind: fc.constant('move' as const), name, to: name }),
  fc.record({ kind: fc.constant('capture' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What the file system refuses (a file where a folder is) is no step. */
const attempt = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
  }
};

const act = (bench: TreeBench, one: Exclude<Step, { kind: 'capture' }>): void => {
  const path = bench.path(one.name);
  attempt(() => {
    if (one.kind === 'write' || one.kind === 'append') {
      mkdirSync(dirname(path), { recursive: true });
      (one.kind === 'write' ? writeFileSync : appendFileSync)(path, one.text);
    } else if (one.kind === 'folder') mkdirSync(path, { recursive: true });
    else if (one.kind === 'remove') rmSync(path, { recursive: true });
    else if (one.kind === 'link') symlinkSync(one.to, path);
    else if (existsSync(path)) renameSync(path, bench.path(one.to));
  });
};

test('quick captures equal git after any work, and so does the diff', async () => {
  await using bench = await createTreeBench({ deps: { watch: true } });
  const tree = await bench.tree();
  await tree.capture();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const from = await tree.capture();
      tree.hold(from);
      for (const one of steps) {
        if (one.kind === 'capture') await tree.capture();
        else act(bench, one);
      }
      const to = await tree.capture();
      const diff = changesOf(tree.diff(from, to));
      tree.letGo(from);
      expect(to.isFull).toBe(false);
      expect(to.tree).toBe(bench.treeByGit());
      expect(Object.keys(diff).sort()).toEqual(await changedByGit(bench, from.tree, to.tree));
    }),
    { numRuns: LONG ? 400 : 40 },
  );
});

const changedByGit = async (bench: TreeBench, from: string, to: string): Promise<readonly string[]> => {
  const listed = await bench.storeGit('diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to);
  return listed
    .split('\0')
    .filter((path) => path !== '')
    .sort();
};
