/** Captures that trust the watcher see what full ones see: the same trees as git's, after any history. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

const watched = (): Promise<TreeBench> => createTreeBench({ deps: { watch: true } });

test('after the first full look only what changed is looked at, and nothing is missed', async () => {
  await using bench = await watched();
  mkdirSync(bench.path('d/e'), { recursive: true });
  writeFileSync(bench.path('d/e/x'), '1');
  expect((await bench.capture()).isFull).toBe(true);
  writeFileSync(bench.path('d/e/x'), '2');
  const second = await bench.capture();
  expect(second.isFull).toBe(false);
  expect(second.tree).toBe(bench.treeByGit());
});

const STEPS: Readonly<Record<string, (b: TreeBench) => void>> = {
  'a folder made and filled at once': (b) => {
    mkdirSync(b.path('new/deep/er'), { recursive: true });
    for (let at = 0; at < 20; at += 1) writeFileSync(b.path(`new/deep/er/f${at}`), `${at}`);
  },
  'a folder renamed, and a file in it changed': (b) => {
    renameSync(b.path('d'), b.path('moved'));
    writeFileSync(b.path('moved/e/x'), 'after the move');
  },
  'a folder replaced by another of the same name': (b) => {
    mkdirSync(b.path('other/e'), { recursive: true });
    writeFileSync(b.path('other/e/y'), 'from elsewhere');
    renameSync(b.path('d'), join(b.home, 'away'));
    renameSync(b.path('other'), b.path('d'));
    writeFileSync(b.path('d/e/z'), 'after');
  },
  'a folder moved away and back': (b) => {
    renameSync(b.path('d'), join(b.home, 'away'));
    writeFileSync(join(b.home, 'away/e/x'), 'changed outside');
    renameSync(join(b.home, 'away'), b.path('d'));
  },
  'a folder that became a file': (b) => {
    rmSync(b.path('d'), { recursive: true });
    writeFileSync(b.path('d'), 'file');
  },
  'a file that became a link, a mode, a deletion': (b) => {
    rmSync(b.path('d/e/x'));
    symlinkSync('../y', b.path('d/e/x'));
    chmodSync(b.path('d/y'), 0o755);
    rmSync(b.path('top'));
  },
  'a rule that hides a folder': (b) => writeFileSync(b.path('.gitignore'), 'e/\n'),
  'an atomic save': (b) => {
    writeFileSync(b.path('d/.y.tmp'), 'saved');
    renameSync(b.path('d/.y.tmp'), b.path('d/y'));
  },
  'a write through a second name outside': (b) => {
    linkSync(b.path('d/y'), join(b.home, 'linked'));
  },
};

test.each(Object.entries(STEPS))('%s is seen by a quick capture', async (_what, change) => {
  await using bench = await watched();
  mkdirSync(bench.path('d/e'), { recursive: true });
  for (const name of ['d/e/x', 'd/y', 'top']) writeFileSync(bench.path(name), name);
  await bench.capture();
  change(bench);
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
  for (const name of ['later', 'd/later', 'new/later', 'moved/e/later'])
    if (existsSync(dirname(bench.path(name))) && !existsSync(bench.path(name)))
      try {
        writeFileSync(bench.path(name), 'later');
      } catch {
        // The folder became a file in this case.
      }
  expect((await bench.capture()).tree, 'and so is what comes next').toBe(bench.treeByGit());
});

test('a file with a second name is looked at although nobody tells of it', async () => {
  await using bench = await watched();
  writeFileSync(bench.path('x'), 'one');
  linkSync(bench.path('x'), join(bench.home, 'outside'));
  await bench.capture();
  writeFileSync(join(bench.home, 'outside'), 'two');
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
});

test('more events than the kernel keeps lead to a full look, never to a wrong tree', async () => {
  await using bench = await watched();
  mkdirSync(bench.path('many'));
  writeFileSync(bench.path('many/first'), '1');
  await bench.capture();
  const script = `for (let i = 0; i < 20000; i++) require('fs').writeFileSync(${JSON.stringify(bench.path('many'))} + '/f' + i, 'x')`;
  execFileSync(process.execPath, ['-e', script]);
  const capture = await bench.capture();
  expect(capture.isFull).toBe(true);
  expect(capture.tree).toBe(bench.treeByGit());
}, 120_000);

const NAMES = ['a', 'b', 'd/a', 'd/b', 'd/e/a', 'f/a'] as const;
const command = fc.oneof(
  fc.record({
    do: fc.constant('write' as const),
    at: fc.constantFrom(...NAMES),
    text: fc.stringMatching(/^[a-z]{1,3}$/),
  }),
  fc.record({ do: fc.constant('remove' as const), at: fc.constantFrom(...NAMES, 'd', 'd/e', 'f') }),
  fc.record({
    do: fc.constant('move' as const),
    at: fc.constantFrom(...NAMES, 'd', 'f'),
    to: fc.constantFrom('m', 'd/m', 'd', 'f'),
  }),
  fc.record({ do: fc.constant('chmod' as const), at: fc.constantFrom(...NAMES) }),
  fc.record({ do: fc.constant('ignore' as const), text: fc.constantFrom('a\n', 'e/\n', '') }),
  fc.record({
    do: fc.constant('git' as const),
    args: fc.constantFrom(
      ['add', '-A'],
      ['stash', '-u', '-q'],
      ['commit', '-qam', 'x'],
      ['checkout', '-q', '.'],
      ['reset', '-q', '--hard'],
    ),
  }),
  fc.record({ do: fc.constant('capture' as const) }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

const carryOut = (bench: TreeBench, step: Command): void => {
  try {
    if (step.do === 'write') {
      mkdirSync(dirname(bench.path(step.at)), { recursive: true });
      writeFileSync(bench.path(step.at), step.text);
    }
    if (step.do === 'remove') rmSync(bench.path(step.at), { recursive: true, force: true });
    if (step.do === 'move') renameSync(bench.path(step.at), bench.path(step.to));
    if (step.do === 'chmod') chmodSync(bench.path(step.at), 0o755);
    if (step.do === 'ignore') writeFileSync(bench.path('.gitignore'), step.text);
    if (step.do === 'git') bench.userGit(...step.args);
  } catch (error) {
    // A step that the file system or git refuses is no step.
    if (!(error instanceof Error)) throw error;
  }
};

const runs = process.env['SKEIN_TEST_LONG'] === '1' ? 1000 : 12;

test('after any history of files and git a quick capture is the tree that git would write', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 8, maxLength: 20 }), async (steps) => {
      await using bench = await watched();
      writeFileSync(bench.path('seed'), '1');
      bench.userGit('add', '-A');
      bench.userGit('commit', '-qm', 'one');
      await bench.capture();
      for (const step of steps) {
        if (step.do !== 'capture') carryOut(bench, step);
        else expect((await bench.capture()).tree).toBe(treeOf(bench));
      }
      expect((await bench.capture()).tree).toBe(treeOf(bench));
      expect(await (await bench.tree()).audit()).toEqual([]);
    }),
    { numRuns: runs, seed: 20261201 },
  );
}, 600_000);

/** What is tracked although ignored is in ours, so it is in theirs too. */
const treeOf = (bench: TreeBench): string => bench.treeByGit('with what is tracked');
