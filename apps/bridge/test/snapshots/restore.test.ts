import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { expect, test } from 'vitest';
import { newOpId } from '../../src/platform/ids.ts';
import { createWorkbench, mtimeOf, remove, treeOf, type Workbench, write } from './workbench.ts';

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'no fault';
  } catch (error) {
    if (error instanceof BridgeError) return error.code;
    throw error;
  }
};
const temps = (bench: Workbench): string[] =>
  Object.keys(treeOf(bench.root)).filter((name) => name.includes('skein-tmp'));

test('a preview says what will happen and writes nothing, not even a saved version', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before\n');
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'x', 'after\n');
    await write(gate, 'bin', Buffer.from([0, 1]));
  });
  const data = treeOf(bench.dataDir);
  const { applied, files, op } = await bench.preview(turn);
  expect({ applied, op }).toEqual({ applied: false, op: undefined });
  expect(files.map(({ then: text, ...file }) => ({ ...file, text }))).toMatchObject([
    { path: 'bin', action: 'delete', hunks: [], now: null, text: null, binary: true },
    { path: 'x', action: 'write', hunks: [{ nowStart: 1 }], now: 'after\n', text: 'before\n', binary: false },
  ]);
  expect(treeOf(bench.dataDir)).toEqual(data);
});

test('a preview holds until any of its paths changes, then it is stale', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before');
  writeFileSync(bench.path('y'), 'same');
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'x', 'after');
    await write(gate, 'y', 'other');
    await write(gate, 'y', 'same');
  });
  const { plan } = await bench.preview(turn);
  expect((await bench.preview(turn)).plan).toBe(plan);
  writeFileSync(bench.path('x'), 'by hand');
  expect(await codeOf(bench.undo(turn, { plan }))).toBe('stale_plan');
  writeFileSync(bench.path('x'), 'after');
  writeFileSync(bench.path('y'), 'by hand too');
  expect(await codeOf(bench.undo(turn, { plan }))).toBe('stale_plan');
  expect(treeOf(bench.root)).toEqual({ x: '644 after', y: '644 by hand too' });
  expect(bench.recorded.size).toBe(0);
  writeFileSync(bench.path('y'), 'same');
  expect((await bench.undo(turn, { plan })).applied).toBe(true);
});

test('three undos and three redos give back every state on the way, byte and mode', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), '0');
  chmodSync(bench.path('x'), 0o755);
  const states = [treeOf(bench.root)];
  const turns = [];
  for (const number of [1, 2, 3]) {
    turns.push(
      await bench.turn(async (gate) => {
        await write(gate, 'x', `${number}\r\n`);
        await write(gate, `d${number}/new`, `${number}`);
        if (number > 1) await remove(gate, `d${number - 1}/new`);
      }),
    );
    states.push(treeOf(bench.root));
  }
  const ops = [];
  for (const [index, turn] of turns.toReversed().entries()) {
    const { op } = await bench.undo(turn);
    ops.push(op!);
    expect(withoutEmptyFolders(treeOf(bench.root))).toEqual(withoutEmptyFolders(states[2 - index]!));
  }
  for (const [index, op] of ops.toReversed().entries()) {
    await bench.redo(op);
    expect(withoutEmptyFolders(treeOf(bench.root))).toEqual(withoutEmptyFolders(states[index + 1]!));
  }
});

const withoutEmptyFolders = (tree: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(tree).filter(([, what]) => what !== 'dir'));

test('redo by operation brings the files of an older undo back after new turns', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before');
  const first = await bench.turn((gate) => write(gate, 'x', 'after'));
  const { op } = await bench.undo(first);
  await bench.turn((gate) => write(gate, 'y', 'newer'));
  await bench.redo(op!);
  expect(treeOf(bench.root)).toEqual({ x: '644 after', y: '644 newer' });
});

test('redo brings back exactly what lay there before the undo, and refuses when the user edited since', async () => {
  await using bench = createWorkbench();
  const turn = await bench.turn((gate) => write(gate, 'x', 'after'));
  const { op } = await bench.undo(turn);
  writeFileSync(bench.path('x'), 'by hand');
  const refused = await bench.redo(op!);
  expect(refused.conflicts.map(({ reason }) => reason)).toEqual(['created_since']);
  rmSync(bench.path('x'));
  expect((await bench.redo(op!)).applied).toBe(true);
  expect(treeOf(bench.root)).toEqual({ x: '644 after' });
});

test('every restore can itself be undone, redo included', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before');
  const turn = await bench.turn((gate) => write(gate, 'x', 'after'));
  let { op } = await bench.undo(turn);
  for (const expected of ['after', 'before', 'after', 'before']) {
    ({ op } = await bench.redo(op!));
    expect(treeOf(bench.root)).toEqual({ x: `644 ${expected}` });
  }
});

test('an undo of the chat looks at no file', async () => {
  await using bench = createWorkbench();
  const turn = await bench.turn((gate) => write(gate, 'x', 'after'));
  writeFileSync(bench.path('x'), 'by hand');
  const { applied, files, conflicts, op } = await bench.undo(turn, { scope: 'chat' });
  expect({ applied, files, conflicts }).toEqual({ applied: true, files: [], conflicts: [] });
  expect(bench.recorded.has(op!)).toBe(true);
  expect((await bench.redo(op!, { scope: 'chat' })).applied).toBe(true);
  expect(treeOf(bench.root)).toEqual({ x: '644 by hand' });
});

test('a lost saved version refuses the whole undo; put back, it works', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before');
  writeFileSync(bench.path('y'), 'before too');
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'x', 'after');
    await write(gate, 'y', 'after');
    await write(gate, 'z', 'new');
  });
  const blobs = join(bench.dataDir, 'snapshots/blobs');
  const saved = treeOf(blobs);
  const changed = treeOf(bench.root);
  rmSync(blobs, { recursive: true });
  expect((await bench.preview(turn)).unrestored.map(({ path }) => path)).toEqual(['x', 'y']);
  expect(await codeOf(bench.undo(turn))).toBe('unreadable');
  expect(treeOf(bench.root)).toEqual(changed);
  for (const [path, entry] of Object.entries(saved)) {
    if (path.endsWith('/')) mkdirSync(join(blobs, path), { recursive: true });
    else writeFileSync(join(blobs, path), entry.slice(entry.indexOf(' ') + 1));
  }
  expect((await bench.undo(turn)).applied).toBe(true);
  expect(treeOf(bench.root)).toEqual({ x: '644 before', y: '644 before too' });
});

test('a lost journal refuses an undo of files that the session says it changed', async () => {
  await using bench = createWorkbench();
  const turn = await bench.turn((gate) => write(gate, 'x', 'after'));
  const { op } = await bench.undo(turn);
  await bench.redo(op!);
  rmSync(join(bench.dataDir, 'snapshots/journals'), { recursive: true });
  const expects = ['x'];
  expect((await bench.preview(turn, { expects })).unrestored.map(({ path }) => path)).toEqual(['x']);
  expect(await codeOf(bench.undo(turn, { expects }))).toBe('unreadable');
  expect(await codeOf(bench.redo(op!, { expects }))).toBe('unreadable');
  expect((await bench.undo(turn, { expects, scope: 'chat' })).applied).toBe(true);
  expect(treeOf(bench.root)).toEqual({ x: '644 after' });
});

test('what an undo replaces is saved before, even if its first copy was lost', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before');
  const turn = await bench.turn((gate) => write(gate, 'x', 'after'));
  const blobs = join(bench.dataDir, 'snapshots/blobs');
  const [copy] = Object.entries(treeOf(blobs)).find(([, entry]) => entry.endsWith('after')) ?? [];
  rmSync(join(blobs, copy!));
  const { op } = await bench.undo(turn);
  expect((await bench.redo(op!)).applied).toBe(true);
  expect(treeOf(bench.root)).toEqual({ x: '644 after' });
});

test('a damaged saved version of the right size is never put in place', async () => {
  await using bench = createWorkbench();
  for (const name of ['a', 'b', 'c']) writeFileSync(bench.path(name), `before ${name}`);
  const turn = await bench.turn(async (gate) => {
    for (const name of ['a', 'b', 'c']) await write(gate, name, `after ${name}`);
  });
  const changed = treeOf(bench.root);
  const blobs = join(bench.dataDir, 'snapshots/blobs');
  const [damaged] = Object.entries(treeOf(blobs)).find(([, entry]) => entry.endsWith('before b')) ?? [];
  chmodSync(join(blobs, damaged!), 0o600);
  writeFileSync(join(blobs, damaged!), 'BEFORE b');
  expect(await codeOf(bench.undo(turn))).toBe('unreadable');
  expect(treeOf(bench.root)).toEqual(changed);
  expect(await bench.store.unsettled()).toEqual([]);
});

test.each(['restore.staged.1', 'restore.before-swap.1', 'restore.before-swap.2'])(
  'an edit by the user at %s stops the undo, keeps the edit and takes back what was done',
  async (point) => {
    const target = point.endsWith('2') ? 'c' : 'b';
    await using bench: Workbench = createWorkbench({
      failpoint: (name) => {
        if (name === point) writeFileSync(join(bench.root, target), 'by hand');
      },
    });
    for (const name of ['a', 'b', 'c']) writeFileSync(bench.path(name), 'before', { mode: 0o755 });
    const turn = await bench.turn(async (gate) => {
      for (const name of ['a', 'b', 'c']) await write(gate, name, `after ${name}`);
    });
    const changed = treeOf(bench.root);
    expect(await codeOf(bench.undo(turn))).toBe('stale_plan');
    expect(treeOf(bench.root)).toEqual({ ...changed, [target]: '755 by hand' });
    expect(bench.recorded.size).toBe(0);
    expect(await bench.store.unsettled()).toEqual([]);
    expect(await bench.recover()).toEqual([]);
  },
);

test('an edit of a swapped path while the rest is taken back stays the user’s', async () => {
  await using bench: Workbench = createWorkbench({
    failpoint: (name) => {
      if (name !== 'restore.before-swap.2') return;
      writeFileSync(join(bench.root, 'a'), 'a by hand');
      writeFileSync(join(bench.root, 'c'), 'c by hand');
    },
  });
  for (const name of ['a', 'b', 'c']) writeFileSync(bench.path(name), 'before');
  const turn = await bench.turn(async (gate) => {
    for (const name of ['a', 'b', 'c']) await write(gate, name, `after ${name}`);
  });
  expect(await codeOf(bench.undo(turn))).toBe('stale_plan');
  expect(treeOf(bench.root)).toEqual({ a: '644 a by hand', b: '644 after b', c: '644 c by hand' });
});

test.each(['a', 'b', 'c', 'd/new', 'gone/deep'])(
  'a fault while %s is swapped leaves every path as it was',
  async (failing) => {
    const order = ['a', 'b', 'c', 'd/new', 'gone/deep'];
    await using bench: Workbench = createWorkbench({
      failpoint: (name) => {
        if (name === `restore.before-swap.${order.indexOf(failing)}`)
          throw new BridgeError('io', 'EIO on purpose');
      },
    });
    mkdirSync(bench.path('gone'));
    for (const name of ['a', 'b', 'c', 'gone/deep'])
      writeFileSync(bench.path(name), 'before', { mode: 0o600 });
    const turn = await bench.turn(async (gate) => {
      for (const name of ['a', 'b']) await write(gate, name, `after ${name}`);
      for (const name of ['c', 'gone/deep']) await remove(gate, name);
      await write(gate, 'd/new', 'new');
    });
    rmSync(bench.path('gone'), { recursive: true });
    const changed = treeOf(bench.root);
    expect(await codeOf(bench.undo(turn))).toBe('io');
    expect(treeOf(bench.root)).toEqual(changed);
    expect(temps(bench)).toEqual([]);
    expect(await bench.store.unsettled()).toEqual([]);
  },
);

test('a second restore in the same folder is told that it is busy', async () => {
  let second: Promise<string> | undefined;
  await using bench: Workbench = createWorkbench({
    failpoint: async (name) => {
      if (name === 'restore.after-intent') second ??= Promise.resolve(codeOf(bench.undo(other)));
      if (name === 'restore.before-commit') await second;
    },
  });
  const turn = await bench.turn((gate) => write(gate, 'x', '1'));
  const other = await bench.turn((gate) => write(gate, 'y', '2'));
  await bench.undo(turn);
  expect(await second).toBe('busy');
  expect((await bench.undo(other)).applied).toBe(true);
});

test('a record that could not be written is written by the recovery, files are restored once', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before');
  const turn = await bench.turn((gate) => write(gate, 'x', 'after'));
  const op = newOpId();
  const commit = async (): Promise<void> => {
    throw new BridgeError('io', 'disk full on purpose');
  };
  expect(await codeOf(bench.undo(turn, { op, commit }))).toBe('io');
  expect(treeOf(bench.root)).toEqual({ x: '644 before' });
  expect(await bench.store.unsettled()).toEqual([bench.strand]);
  expect(await codeOf(bench.undo(turn))).toBe('busy');
  const mtime = mtimeOf(bench.path('x'));
  expect(await bench.recover()).toMatchObject([{ op, direction: 'undo', done: ['x'], left: [] }]);
  expect(bench.recorded.has(op)).toBe(true);
  expect(mtimeOf(bench.path('x'))).toBe(mtime);
  expect(await bench.recover()).toEqual([]);
  expect((await bench.redo(op)).applied).toBe(true);
});

test('undo writes only what differs', async () => {
  await using bench = createWorkbench();
  for (const name of ['a', 'b', 'other']) writeFileSync(bench.path(name), 'before');
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'a', 'after');
    await write(gate, 'b', 'after');
    await write(gate, 'c/new', 'after');
  });
  writeFileSync(bench.path('b'), 'before');
  rmSync(bench.path('c'), { recursive: true });
  const kept = ['b', 'other'].map((name) => mtimeOf(bench.path(name)));
  const { files } = await bench.undo(turn);
  expect(files.map(({ path }) => path)).toEqual(['a']);
  expect(['b', 'other'].map((name) => mtimeOf(bench.path(name)))).toEqual(kept);
  expect(existsSync(bench.path('c'))).toBe(false);
});

test('a workspace that is gone is refused and not made anew', async () => {
  await using bench = createWorkbench();
  const turn = await bench.turn((gate) => write(gate, 'd/x', 'after'));
  rmSync(bench.root, { recursive: true });
  const { conflicts } = await bench.undo(turn);
  expect(conflicts.map(({ reason }) => reason)).toEqual(['unreadable']);
  expect(existsSync(bench.root)).toBe(false);
  expect(readdirSync(bench.outside)).toEqual([]);
});

test('the history moves with data directory and workspace, wherever they go', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before', { mode: 0o755 });
  const turn = await bench.turn((gate) => write(gate, 'x', 'after'));
  await using moved = createWorkbench({ strand: bench.strand });
  cpSync(bench.dataDir, moved.dataDir, { recursive: true });
  cpSync(bench.root, moved.root, { recursive: true });
  expect((await moved.undo(turn)).applied).toBe(true);
  expect(treeOf(moved.root)).toEqual({ x: '755 before' });
  expect(treeOf(bench.root)).toEqual({ x: '755 after' });
});
