import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorkbench, mtimeOf, never, remove, treeOf, write } from './workbench.ts';

const BIG = Buffer.alloc(9 * 1024 * 1024, 'big file that does not fit one chunk\n');
const before: Readonly<Record<string, { readonly bytes: Buffer; readonly mode: number }>> = {
  'binary.bin': { bytes: Buffer.from([0, 255, 254, 10, 13, 0, 128]), mode: 0o644 },
  'crlf.txt': { bytes: Buffer.from('one\r\ntwo\r\n'), mode: 0o644 },
  'bom.txt': { bytes: Buffer.from('\ufeffbom\n'), mode: 0o644 },
  'no-newline.txt': { bytes: Buffer.from('no final newline'), mode: 0o600 },
  'run.sh': { bytes: Buffer.from('#!/bin/sh\n'), mode: 0o755 },
  'empty.txt': { bytes: Buffer.alloc(0), mode: 0o640 },
  'latin1.txt': { bytes: Buffer.from([0xe9, 0x0a]), mode: 0o444 },
  'big.txt': { bytes: BIG, mode: 0o644 },
  'sub/deep/file.txt': { bytes: Buffer.from('deep\n'), mode: 0o644 },
  'new\nline.txt': { bytes: Buffer.from('a\n'), mode: 0o644 },
  'quote"back\\slash.txt': { bytes: Buffer.from('b\n'), mode: 0o644 },
  '-dash': { bytes: Buffer.from('c\n'), mode: 0o644 },
  ':(exclude)[id].txt': { bytes: Buffer.from('d\n'), mode: 0o644 },
  '中文 файл.txt': { bytes: Buffer.from('e\n'), mode: 0o644 },
  'caf\u00e9.txt': { bytes: Buffer.from('NFC\n'), mode: 0o644 },
  'cafe\u0301.txt': { bytes: Buffer.from('NFD\n'), mode: 0o644 },
};

for (const change of ['write', 'empty', 'remove', 'recreate'] as const) {
  test(`undo and redo give back every byte and mode bit after: ${change}`, async () => {
    await using bench = createWorkbench();
    mkdirSync(bench.path('sub/deep'), { recursive: true });
    for (const [name, { bytes, mode }] of Object.entries(before)) {
      writeFileSync(bench.path(name), bytes);
      chmodSync(bench.path(name), mode);
    }
    const original = treeOf(bench.root);
    const turn = await bench.turn(async (gate) => {
      for (const [name, { bytes }] of Object.entries(before)) {
        if (change === 'remove' || change === 'recreate') await remove(gate, name);
        if (change === 'write') await write(gate, name, Buffer.concat([bytes, Buffer.from('\0more')]));
        if (change === 'empty') await write(gate, name, '');
        if (change === 'recreate') await write(gate, name, `recreated\r\n${name}`);
      }
    });
    const changed = treeOf(bench.root);
    expect(changed).not.toEqual(original);

    const undone = await bench.undo(turn);
    expect(undone.conflicts).toEqual([]);
    expect(treeOf(bench.root)).toEqual(original);

    await bench.redo(undone.op!);
    expect(treeOf(bench.root)).toEqual(changed);
  });
}

test('a script stays executable when it is written, undone and redone', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('run.sh'), 'one\n');
  chmodSync(bench.path('run.sh'), 0o755);
  const turn = await bench.turn((gate) => write(gate, 'run.sh', 'two\n'));
  expect(treeOf(bench.root)).toEqual({ 'run.sh': '755 two\n' });
  await bench.undo(turn);
  expect(treeOf(bench.root)).toEqual({ 'run.sh': '755 one\n' });
});

test('a change of mode by a command is undone without touching content or mtime', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('run.sh'), 'one\n', { mode: 0o644 });
  const turn = await bench.turn(async (gate) => {
    const checkpoint = await gate.checkpoint({ call: 'c', paths: ['run.sh'] });
    await gate.beforeUngated('c', never);
    chmodSync(bench.path('run.sh'), 0o755);
    if (checkpoint.kind === 'parked') await checkpoint.settle();
  });
  const mtime = mtimeOf(bench.path('run.sh'));
  await bench.undo(turn);
  expect(treeOf(bench.root)).toEqual({ 'run.sh': '644 one\n' });
  expect(mtimeOf(bench.path('run.sh'))).toBe(mtime);
});

test('folders that the turn made go when they are empty, and come back with redo', async () => {
  await using bench = createWorkbench();
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'a/b/one.txt', '1');
    await write(gate, 'a/b/c/two.txt', '2');
    await write(gate, 'a/three.txt', '3');
  });
  const changed = treeOf(bench.root);
  const { op } = await bench.undo(turn);
  expect(treeOf(bench.root)).toEqual({});
  await bench.redo(op!);
  expect(treeOf(bench.root)).toEqual(changed);
});

test('a folder that holds a file of the user by now stays, with that file', async () => {
  await using bench = createWorkbench();
  const turn = await bench.turn((gate) => write(gate, 'made/one.txt', '1'));
  writeFileSync(bench.path('made/mine.txt'), 'mine');
  await bench.undo(turn);
  expect(treeOf(bench.root)).toEqual({ 'made/': 'dir', 'made/mine.txt': '644 mine' });
});

test('a write through a link changes its target and keeps the link', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('target.txt'), 'one');
  symlinkSync('target.txt', bench.path('link'));
  const turn = await bench.turn((gate) => write(gate, 'link', 'two'));
  expect(treeOf(bench.root)).toEqual({ 'target.txt': '644 two', link: 'link target.txt' });
  await bench.undo(turn);
  expect(treeOf(bench.root)).toEqual({ 'target.txt': '644 one', link: 'link target.txt' });
});

test('a target whose name is not UTF-8 is journalled by its bytes and comes back', async () => {
  await using bench = createWorkbench();
  const odd = Buffer.concat([Buffer.from(bench.path('odd-')), Buffer.from([0xff, 0xfe])]);
  writeFileSync(odd, 'one');
  symlinkSync(odd, bench.path('link'));
  const turn = await bench.turn((gate) => write(gate, 'link', 'two'));
  expect(readFileSync(odd, 'utf8')).toBe('two');
  await bench.undo(turn);
  expect(readFileSync(odd, 'utf8')).toBe('one');
});

test('a file replaced by a link and a link replaced by a file come back as they were', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('file'), 'content');
  symlinkSync('file', bench.path('link'));
  const original = treeOf(bench.root);
  const turn = await bench.turn(async (gate) => {
    const checkpoint = await gate.checkpoint({ call: 'c', paths: ['file'] });
    rmSync(bench.path('file'));
    symlinkSync('/nowhere', bench.path('file'));
    if (checkpoint.kind === 'parked') await checkpoint.settle();
    await remove(gate, 'link');
    await write(gate, 'link', 'a file now');
  });
  const changed = treeOf(bench.root);
  const { op, conflicts } = await bench.undo(turn);
  expect(conflicts).toEqual([]);
  expect(treeOf(bench.root)).toEqual(original);
  await bench.redo(op!);
  expect(treeOf(bench.root)).toEqual(changed);
});

test('files of other paths keep their mtime', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('other.txt'), 'x');
  writeFileSync(bench.path('same.txt'), 'x');
  const [other, same] = [mtimeOf(bench.path('other.txt')), mtimeOf(bench.path('same.txt'))];
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'same.txt', 'x');
    await write(gate, 'changed.txt', 'x');
  });
  await bench.undo(turn);
  expect([mtimeOf(bench.path('other.txt')), mtimeOf(bench.path('same.txt'))]).toEqual([other, same]);
});
