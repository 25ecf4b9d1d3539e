import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorkbench, never, remove, treeOf, type Workbench, write } from './workbench.ts';

/** The turn edits `edit`, makes `made/new` and deletes `gone`; then the user does something. */
const CASES: readonly {
  readonly what: string;
  readonly by: (bench: Workbench) => void;
  readonly conflicts: Readonly<Record<string, string>>;
}[] = [
  {
    what: 'an edit',
    by: (b) => writeFileSync(b.path('edit'), 'by hand'),
    conflicts: { edit: 'changed_since' },
  },
  {
    what: 'an edit of the same length',
    by: (b) => writeFileSync(b.path('edit'), 'aftex'),
    conflicts: { edit: 'changed_since' },
  },
  { what: 'a deletion', by: (b) => rmSync(b.path('edit')), conflicts: { edit: 'deleted_since' } },
  {
    what: 'an edit of a new file',
    by: (b) => writeFileSync(b.path('made/new'), 'by hand'),
    conflicts: { 'made/new': 'changed_since' },
  },
  {
    what: 'a file where one was deleted',
    by: (b) => writeFileSync(b.path('gone'), 'by hand'),
    conflicts: { gone: 'created_since' },
  },
  {
    what: 'an empty file where one was deleted',
    by: (b) => writeFileSync(b.path('gone'), ''),
    conflicts: { gone: 'created_since' },
  },
  {
    what: 'a folder where a file was deleted',
    by: (b) => mkdirSync(b.path('gone')),
    conflicts: { gone: 'folder_in_the_way' },
  },
  {
    what: 'a folder in place of a file',
    by: (b) => {
      rmSync(b.path('edit'));
      mkdirSync(b.path('edit'));
      writeFileSync(b.path('edit/mine'), 'mine');
    },
    conflicts: { edit: 'folder_in_the_way' },
  },
  {
    what: 'a link in place of a file',
    by: (b) => {
      rmSync(b.path('edit'));
      symlinkSync('other', b.path('edit'));
    },
    conflicts: { edit: 'type_changed' },
  },
  {
    what: 'a pipe in place of a file',
    by: (b) => {
      rmSync(b.path('edit'));
      execFileSync('mkfifo', [b.path('edit')]);
    },
    conflicts: { edit: 'unreadable' },
  },
  {
    what: 'a link in place of a folder',
    by: (b) => {
      renameSync(b.path('made'), b.path('moved'));
      symlinkSync('moved', b.path('made'));
    },
    conflicts: { 'made/new': 'link_in_the_way' },
  },
  {
    what: 'a link out of the workspace in place of a folder',
    by: (b) => {
      rmSync(b.path('made'), { recursive: true });
      symlinkSync(b.outside, b.path('made'));
      writeFileSync(`${b.outside}/new`, 'after');
    },
    conflicts: { 'made/new': 'link_in_the_way' },
  },
];

test.each(CASES)(
  '$what by the user is a conflict and nothing at all is written',
  async ({ by, conflicts }) => {
    await using bench = createWorkbench();
    writeFileSync(bench.path('edit'), 'before');
    writeFileSync(bench.path('gone'), 'before');
    writeFileSync(bench.path('fine'), 'before');
    const turn = await bench.turn(async (gate) => {
      await write(gate, 'edit', 'after');
      await write(gate, 'made/new', 'after');
      await write(gate, 'fine', 'after');
      await remove(gate, 'gone');
    });
    by(bench);
    const [inside, outside] = [treeOf(bench.root), treeOf(bench.outside)];

    const preview = await bench.preview(turn);
    const applied = await bench.undo(turn);

    for (const result of [preview, applied]) {
      expect(Object.fromEntries(result.conflicts.map(({ path, reason }) => [path, reason]))).toEqual(
        conflicts,
      );
      expect(result.applied).toBe(false);
    }
    expect(bench.recorded.size).toBe(0);
    expect(treeOf(bench.root)).toEqual(inside);
    expect(treeOf(bench.outside)).toEqual(outside);
  },
);

test('a conflict shows both texts', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before');
  const turn = await bench.turn((gate) => write(gate, 'x', 'after'));
  writeFileSync(bench.path('x'), 'by hand');
  const { conflicts } = await bench.preview(turn);
  expect(conflicts.map(({ path, now, then: text }) => [path, now, text])).toEqual([
    ['x', 'by hand', 'before'],
  ]);
});

test('after the user took the edit back by hand the undo goes through', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before');
  const turn = await bench.turn((gate) => write(gate, 'x', 'after'));
  writeFileSync(bench.path('x'), 'by hand');
  expect((await bench.undo(turn)).applied).toBe(false);
  writeFileSync(bench.path('x'), 'after');
  expect((await bench.undo(turn)).applied).toBe(true);
  expect(treeOf(bench.root)).toEqual({ x: '644 before' });
});

test('an edit by the user in the middle of a turn is a conflict, for the turn was built on it', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before');
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'x', 'one');
    writeFileSync(bench.path('x'), 'one and mine');
    await write(gate, 'x', 'two and mine');
  });
  const undone = await bench.undo(turn);
  expect(undone.conflicts.map(({ path, reason }) => [path, reason])).toEqual([['x', 'changed_since']]);
  expect(treeOf(bench.root)).toEqual({ x: '644 two and mine' });
});

test('what a command of the turn did between two writes is the turn’s own and no conflict', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before');
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'x', 'one');
    await gate.beforeUngated('sh', never);
    writeFileSync(bench.path('x'), 'formatted');
    await write(gate, 'x', 'two');
  });
  expect((await bench.undo(turn)).conflicts).toEqual([]);
  expect(treeOf(bench.root)).toEqual({ x: '644 before' });
});

test('two sessions in one folder: each undo takes back its own files only', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('shared'), 'before');
  const other = createWorkbench({ base: `${bench.root}/..` });
  const mine = await bench.turn(async (gate) => {
    await write(gate, 'shared', 'mine');
    await write(gate, 'only-mine', '1');
  });
  const theirs = await bench.turn(
    async (gate) => {
      await write(gate, 'shared', 'theirs');
      await write(gate, 'only-theirs', '2');
    },
    { strand: other.strand },
  );
  expect((await bench.undo(mine)).conflicts.map(({ path }) => path)).toEqual(['shared']);
  expect((await bench.undo(theirs, { strand: other.strand })).applied).toBe(true);
  expect(treeOf(bench.root)).toEqual({ shared: '644 mine', 'only-mine': '644 1' });
  expect((await bench.undo(mine)).applied).toBe(true);
  expect(treeOf(bench.root)).toEqual({ shared: '644 before' });
});
