/** Undo and redo beside later edits: merges, hunks, chosen paths, and what a person decides in a conflict. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorkbench, treeOf, write } from './workbench.ts';

const LINES = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const text = (changed: Readonly<Record<number, string>> = {}, end = '\n'): string =>
  LINES.map((line, at) => `${changed[at + 1] ?? line}${end}`).join('');

test('an edit that the user made elsewhere in the file survives undo and redo', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('f'), text());
  const turn = await bench.turn((gate) => write(gate, 'f', text({ 2: 'agent' })));
  writeFileSync(bench.path('f'), text({ 2: 'agent', 8: 'mine' }));
  const undone = await bench.undo(turn);
  expect(undone).toMatchObject({ applied: true, conflicts: [], files: [{ path: 'f', action: 'merge' }] });
  expect(readFileSync(bench.path('f'), 'utf8')).toBe(text({ 8: 'mine' }));
  writeFileSync(bench.path('f'), text({ 8: 'mine', 5: 'more' }));
  const redone = await bench.redo(undone.op!);
  expect(redone).toMatchObject({ applied: true, conflicts: [] });
  expect(readFileSync(bench.path('f'), 'utf8')).toBe(text({ 2: 'agent', 8: 'mine', 5: 'more' }));
});

test('CRLF and a missing final newline are kept through a merge', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('f'), text({}, '\r\n').trimEnd());
  const turn = await bench.turn((gate) => write(gate, 'f', text({ 2: 'agent' }, '\r\n').trimEnd()));
  writeFileSync(bench.path('f'), text({ 2: 'agent', 6: 'mine' }, '\r\n').trimEnd());
  await bench.undo(turn);
  expect(readFileSync(bench.path('f'), 'utf8')).toBe(text({ 6: 'mine' }, '\r\n').trimEnd());
});

test('a change of mode by the user and a change of content by the turn go their own ways', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('f'), text(), { mode: 0o644 });
  const turn = await bench.turn((gate) => write(gate, 'f', text({ 2: 'agent' })));
  chmodSync(bench.path('f'), 0o755);
  expect((await bench.undo(turn)).conflicts).toEqual([]);
  expect(treeOf(bench.root)).toEqual({ f: `755 ${text()}` });
});

test('overlapping edits are a conflict with three texts, and nothing at all is written', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('f'), text());
  writeFileSync(bench.path('other'), 'x\n');
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'f', text({ 2: 'agent' }));
    await write(gate, 'other', 'y\n');
  });
  writeFileSync(bench.path('f'), text({ 2: 'mine' }));
  const result = await bench.undo(turn);
  expect(result.applied).toBe(false);
  const [conflict] = result.conflicts;
  expect(conflict).toMatchObject({
    path: 'f',
    reason: 'changed_since',
    base: text({ 2: 'agent' }),
    now: text({ 2: 'mine' }),
    choices: ['mine', 'before', 'markers'],
  });
  expect(conflict?.markers).toContain(
    '<<<<<<< yours\nmine\n||||||| as the turn left it\nagent\n=======\n2\n>>>>>>> before the turn\n',
  );
  expect(treeOf(bench.root)).toEqual({ f: `644 ${text({ 2: 'mine' })}`, other: '644 y\n' });
});

test.each([
  ['mine', text({ 2: 'mine' })],
  ['before', text()],
] as const)(
  'the choice %s settles a conflict, and redo brings back what was there',
  async (choice, wanted) => {
    await using bench = createWorkbench();
    writeFileSync(bench.path('f'), text());
    writeFileSync(bench.path('other'), 'x\n');
    const turn = await bench.turn(async (gate) => {
      await write(gate, 'f', text({ 2: 'agent' }));
      await write(gate, 'other', 'y\n');
    });
    writeFileSync(bench.path('f'), text({ 2: 'mine' }));
    const before = treeOf(bench.root);
    const undone = await bench.undo(turn, { choices: [{ path: 'f', choice }] });
    expect(undone.applied).toBe(true);
    expect(treeOf(bench.root)).toEqual({ f: `644 ${wanted}`, other: '644 x\n' });
    await bench.redo(undone.op!);
    expect(treeOf(bench.root)).toEqual(before);
  },
);

test('the choice markers writes both versions, for an editor to finish', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('f'), text());
  const turn = await bench.turn((gate) => write(gate, 'f', text({ 2: 'agent' })));
  writeFileSync(bench.path('f'), text({ 2: 'mine' }));
  const undone = await bench.undo(turn, { choices: [{ path: 'f', choice: 'markers' }] });
  expect(undone.applied).toBe(true);
  expect(readFileSync(bench.path('f'), 'utf8')).toMatch(/^1\n<<<<<<< yours\nmine\n/);
  await bench.redo(undone.op!);
  expect(readFileSync(bench.path('f'), 'utf8')).toBe(text({ 2: 'mine' }));
});

test('a deleted file and a binary offer mine and before, never markers', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('gone'), text());
  writeFileSync(bench.path('bin'), Buffer.from([0, 1]));
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'gone', text({ 2: 'agent' }));
    await write(gate, 'bin', Buffer.from([0, 2]));
  });
  rmSync(bench.path('gone'));
  writeFileSync(bench.path('bin'), Buffer.from([0, 3]));
  const { conflicts } = await bench.undo(turn);
  expect(conflicts.map(({ path, choices, markers }) => [path, choices, markers])).toEqual([
    ['bin', ['mine', 'before'], null],
    ['gone', ['mine', 'before'], null],
  ]);
  await bench.undo(turn, {
    choices: [
      { path: 'gone', choice: 'before' },
      { path: 'bin', choice: 'mine' },
    ],
  });
  expect(treeOf(bench.root)).toEqual({ gone: `644 ${text()}`, bin: '644 \0\x03' });
});

test('one hunk of a turn is undone, the other stays, and the rest can be undone later', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('f'), text());
  const turn = await bench.turn((gate) => write(gate, 'f', text({ 2: 'two', 8: 'eight' })));
  writeFileSync(bench.path('f'), text({ 2: 'two', 5: 'mine', 8: 'eight' }));
  const preview = await bench.preview(turn);
  const hunks = preview.files[0]?.hunks ?? [];
  expect(hunks.map(({ nowStart, nowLines }) => [nowStart, nowLines])).toEqual([
    [2, 1],
    [8, 1],
  ]);
  const undone = await bench.undo(turn, { hunks: [hunks[1]?.id ?? ''] });
  expect(readFileSync(bench.path('f'), 'utf8')).toBe(text({ 2: 'two', 5: 'mine' }));
  await bench.undo(turn);
  expect(readFileSync(bench.path('f'), 'utf8')).toBe(text({ 5: 'mine' }));
  expect(undone.applied).toBe(true);
});

test('a hunk that is not there any more is a stale plan, and nothing is written', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('f'), text());
  const turn = await bench.turn((gate) => write(gate, 'f', text({ 2: 'two' })));
  const [hunk] = (await bench.preview(turn)).files[0]?.hunks ?? [];
  writeFileSync(bench.path('f'), text({ 2: 'two', 1: 'one more' }));
  await expect(bench.undo(turn, { hunks: [hunk?.id ?? ''] })).rejects.toMatchObject({ code: 'stale_plan' });
  expect(readFileSync(bench.path('f'), 'utf8')).toBe(text({ 2: 'two', 1: 'one more' }));
});

test('only the paths that are named come back; a folder stands for all below it', async () => {
  await using bench = createWorkbench();
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'src/a', '1');
    await write(gate, 'src/deep/b', '2');
    await write(gate, 'srcs', '3');
  });
  await bench.undo(turn, { paths: ['src'] });
  expect(treeOf(bench.root)).toEqual({ srcs: '644 3' });
  await expect(bench.undo(turn, { paths: ['nowhere'] })).rejects.toMatchObject({ code: 'not_found' });
});

test('a conflict in a file that was not asked for stands in nobody’s way', async () => {
  await using bench = createWorkbench();
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'a', '1\n');
    await write(gate, 'b', '2\n');
  });
  writeFileSync(bench.path('b'), 'mine\n');
  expect((await bench.undo(turn, { paths: ['a'] })).applied).toBe(true);
  expect(treeOf(bench.root)).toEqual({ b: '644 mine\n' });
});

test('the plan of a preview holds for the same choices only', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('f'), text());
  const turn = await bench.turn((gate) => write(gate, 'f', text({ 2: 'agent' })));
  writeFileSync(bench.path('f'), text({ 2: 'mine' }));
  const choices = [{ path: 'f', choice: 'before' as const }];
  const { plan } = await bench.preview(turn);
  await expect(bench.undo(turn, { plan, choices })).rejects.toMatchObject({ code: 'stale_plan' });
  const chosen = await bench.preview(turn, { choices });
  expect(await bench.undo(turn, { plan: chosen.plan, choices })).toMatchObject({ applied: true });
});

test('a preview of a merge writes nothing, not even the merged text', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('f'), text());
  const turn = await bench.turn((gate) => write(gate, 'f', text({ 2: 'agent' })));
  writeFileSync(bench.path('f'), text({ 2: 'agent', 8: 'mine' }));
  const data = treeOf(bench.dataDir);
  const preview = await bench.preview(turn);
  expect(preview.files[0]).toMatchObject({ action: 'merge' });
  expect(Object.entries(preview.files[0] ?? {}).find(([name]) => name === 'then')?.[1]).toBe(
    text({ 8: 'mine' }),
  );
  expect(preview.unrestored).toEqual([]);
  expect(treeOf(bench.dataDir)).toEqual(data);
});
