import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newRecordId } from '../../src/platform/ids.ts';
import type { TurnGate } from '../../src/snapshots/types.ts';
import { createWorkbench, never, quickFolder, remove, treeOf, type Workbench, write } from './workbench.ts';

const openGate = (bench: Workbench, cwd = bench.root): Promise<TurnGate> =>
  bench.store.openGate({
    strand: bench.strand,
    root: bench.root,
    cwd,
    turn: newRecordId(),
    forbidden: [bench.dataDir],
  });

const tryWrite = async (gate: TurnGate, path: string): Promise<string> => {
  const result = await gate.write({ call: 'c', path, bytes: Buffer.from('new') });
  return result.kind === 'refused' ? result.reason : result.kind;
};
const tryRemove = async (gate: TurnGate, path: string): Promise<string> => {
  const result = await gate.remove({ call: 'c', path });
  return result.kind === 'refused' ? result.reason : result.kind;
};
const tryRead = async (gate: TurnGate, path: string): Promise<string> => {
  const result = await gate.read(path);
  return result.kind === 'refused' ? result.reason : Buffer.from(result.bytes).toString();
};
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

test('nothing outside the root is written, deleted or read, however the path is spelled', async () => {
  await using bench = createWorkbench();
  writeFileSync(join(bench.outside, 'x'), 'outside');
  mkdirSync(bench.path('a'));
  symlinkSync(bench.outside, bench.path('link'));
  symlinkSync(join(bench.outside, 'x'), bench.path('leaf'));
  symlinkSync(join(bench.outside, 'not-there'), bench.path('dangling'));
  symlinkSync('a/../../outside/x', bench.path('sly'));
  const gate = await openGate(bench);
  const paths = [
    '..',
    '../x',
    'a/../../x',
    '/etc/passwd',
    '../work-other/x',
    '\0',
    '',
    '/proc/self/environ',
    '../outside/x',
  ];
  for (const path of paths) {
    for (const attempt of [tryWrite, tryRemove, tryRead])
      expect([path, await attempt(gate, path)]).toEqual([path, 'outside_root']);
  }
  for (const path of ['link/x', 'leaf', 'dangling', 'sly', 'link/sub/new']) {
    expect([path, await tryWrite(gate, path)]).toEqual([path, 'link']);
    expect([path, await tryRead(gate, path)]).toEqual([path, 'link']);
  }
  expect(await tryRemove(gate, 'link/x')).toBe('link');
  expect(await tryWrite(gate, '.')).toBe('not_regular');
  expect(treeOf(bench.outside)).toEqual({ x: '644 outside' });
});

test('a parent that is a link inside the root is refused for writing and followed for reading', async () => {
  await using bench = createWorkbench();
  mkdirSync(bench.path('real'));
  writeFileSync(bench.path('real/x'), 'inside');
  symlinkSync('real', bench.path('link'));
  const gate = await openGate(bench);
  expect(await tryWrite(gate, 'link/x')).toBe('link');
  expect(await tryRead(gate, 'link/x')).toBe('inside');
});

test('the root under another name is the root', async () => {
  await using bench = createWorkbench();
  symlinkSync(bench.root, join(bench.outside, 'alias'));
  const gate = await openGate(bench);
  expect(await tryWrite(gate, join(bench.outside, 'alias', 'x'))).toBe('written');
  expect(treeOf(bench.root)).toEqual({ x: '644 new' });
});

test.each([
  '.git/hooks/pre-commit',
  '.git/config',
  '.git/info/attributes',
  '.git/modules/m/config',
  '.git/worktrees/w/gitdir',
  '.git/commondir',
  '.git/index',
  '.git',
  '.GIT/config',
  '.git./config',
  '.git /config',
  'git~1/config',
  '.g\u200cit/config',
  '.git::$INDEX_ALLOCATION/config',
  'sub/.git/hooks/x',
  '.skein/settings.json',
  '.claude/settings.json',
  '.mcp.json',
  'sub/.mcp.json',
])('%s is never written or deleted by a tool', async (path) => {
  await using bench = createWorkbench();
  const gate = await openGate(bench);
  expect(await tryWrite(gate, path)).toBe('protected');
  expect(await tryRemove(gate, path)).toBe('protected');
  const checkpoint = await gate.checkpoint({ call: 'c', paths: [path] });
  expect(checkpoint.kind === 'refused' && checkpoint.reason).toBe('protected');
  expect(treeOf(bench.root)).toEqual({});
});

test('a link to a protected file is not a way around', async () => {
  await using bench = createWorkbench();
  mkdirSync(bench.path('.git'));
  symlinkSync('.git/config', bench.path('link'));
  const gate = await openGate(bench);
  expect(await tryWrite(gate, 'link')).toBe('protected');
  expect(readdirSync(bench.path('.git'))).toEqual([]);
});

test('.gitignore and .github are ordinary files', async () => {
  await using bench = createWorkbench();
  const gate = await openGate(bench);
  for (const path of ['.gitignore', '.github/x.yml', '.gitattributes'])
    expect(await tryWrite(gate, path)).toBe('written');
});

test('the data directory is neither read nor written, under its own name or another', async () => {
  await using bench = createWorkbench();
  const inside = bench.path('private');
  mkdirSync(inside);
  writeFileSync(join(inside, 'token'), 'secret');
  symlinkSync('private/token', bench.path('link'));
  const gate = await bench.store.openGate({
    strand: bench.strand,
    root: bench.root,
    cwd: bench.root,
    turn: newRecordId(),
    forbidden: [inside],
  });
  for (const path of ['private/token', inside, join(inside, 'new'), 'link']) {
    expect(await tryRead(gate, path)).toBe('protected');
    expect(await tryWrite(gate, path)).toBe('protected');
  }
  // A mount or a case-folding file system shows one folder under two names: its identity counts.
  symlinkSync(inside, join(bench.outside, 'alias'));
  const named = await bench.store.openGate({
    strand: bench.strand,
    root: bench.root,
    cwd: bench.root,
    turn: newRecordId(),
    forbidden: [join(bench.outside, 'alias')],
  });
  expect(await tryRead(named, 'private/token')).toBe('protected');
});

test('a pipe, a folder and a device-like entry are refused at once', async () => {
  await using bench = createWorkbench();
  execFileSync('mkfifo', [bench.path('pipe')]);
  mkdirSync(bench.path('folder'));
  const gate = await openGate(bench);
  for (const path of ['pipe', 'folder', 'pipe/x']) {
    for (const attempt of [tryWrite, tryRead])
      expect([path, await attempt(gate, path)]).toEqual([path, 'not_regular']);
    expect([path, await tryRemove(gate, path)]).toEqual([path, 'not_regular']);
  }
});

test('a file that changed since it was read is not overwritten or deleted', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'one');
  const gate = await openGate(bench);
  const read = await gate.read('x');
  const expected = read.kind === 'file' ? read.sha256 : '';
  writeFileSync(bench.path('x'), 'by hand');
  const results = [
    await gate.write({ call: 'c', path: 'x', bytes: Buffer.from('agent'), expect: expected }),
    await gate.write({ call: 'c', path: 'x', bytes: Buffer.from('agent'), expect: null }),
    await gate.write({ call: 'c', path: 'gone', bytes: Buffer.from('agent'), expect: expected }),
    await gate.remove({ call: 'c', path: 'x', expect: expected }),
  ];
  expect(results.map((result) => result.kind === 'refused' && result.reason)).toEqual(
    Array(4).fill('changed_since_read'),
  );
  expect(treeOf(bench.root)).toEqual({ x: '644 by hand' });
  const accepted = await gate.write({
    call: 'c',
    path: 'x',
    bytes: Buffer.from('agent'),
    expect: sha('by hand'),
  });
  expect(accepted.kind).toBe('written');
  expect(await tryRemove(gate, 'gone')).toBe('not_found');
});

test.each(['gate.parked', 'gate.journalled', 'gate.staged'])(
  'a save by the user at %s is kept, the write is refused and undo leaves it alone',
  async (point) => {
    let armed = true;
    await using bench: Workbench = createWorkbench({
      failpoint: (name) => {
        if (name !== point || !armed) return;
        armed = false;
        writeFileSync(join(bench.root, 'x'), 'by hand');
      },
    });
    writeFileSync(bench.path('x'), 'before');
    const turn = await bench.turn(async (gate) => {
      expect(await tryWrite(gate, 'x')).toBe('changed_since_read');
    });
    expect(treeOf(bench.root)).toEqual({ x: '644 by hand' });
    const undone = await bench.undo(turn);
    expect(undone.files).toEqual([]);
    expect(treeOf(bench.root)).toEqual({ x: '644 by hand' });
  },
);

test('a second write that fails does not keep the first from being undone', async () => {
  let writes = 0;
  await using bench = createWorkbench({
    failpoint: (name) => {
      writes += Number(name === 'gate.staged');
      if (name === 'gate.staged' && writes === 2) throw new Error('EIO on purpose');
    },
  });
  writeFileSync(bench.path('x'), 'before');
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'x', 'one');
    await expect(tryWrite(gate, 'x')).rejects.toThrow('EIO');
    expect(treeOf(bench.root)).toEqual({ x: '644 one' });
  });
  expect((await bench.undo(turn)).conflicts).toEqual([]);
  expect(treeOf(bench.root)).toEqual({ x: '644 before' });
});

test('a file that the user creates while it is being created is not overwritten', async () => {
  await using bench: Workbench = createWorkbench({
    failpoint: (name) => {
      if (name === 'gate.staged') writeFileSync(join(bench.root, 'x'), 'by hand');
    },
  });
  const gate = await openGate(bench);
  expect(await tryWrite(gate, 'x')).toBe('changed_since_read');
  expect(treeOf(bench.root)).toEqual({ x: '644 by hand' });
});

test('a parent that becomes a link while a file is written leads nowhere', async () => {
  await using bench: Workbench = createWorkbench({
    failpoint: (name) => {
      if (name !== 'gate.journalled') return;
      renameSync(join(bench.root, 'a'), join(bench.root, 'b'));
      symlinkSync(bench.outside, join(bench.root, 'a'));
    },
  });
  mkdirSync(bench.path('a'));
  const gate = await openGate(bench);
  expect(await tryWrite(gate, 'a/x')).toBe('changed_since_read');
  expect(treeOf(bench.outside)).toEqual({});
});

test('what cannot be saved first is not written', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'before');
  mkdirSync(join(bench.dataDir, 'snapshots'));
  writeFileSync(join(bench.dataDir, 'snapshots/blobs'), 'a file in the way');
  const gate = await openGate(bench);
  expect(await tryWrite(gate, 'x')).toBe('park_failed');
  expect(await tryRemove(gate, 'x')).toBe('park_failed');
  const checkpoint = await gate.checkpoint({ call: 'c', paths: ['x'] });
  expect(checkpoint.kind === 'refused' && checkpoint.reason).toBe('park_failed');
  expect(treeOf(bench.root)).toEqual({ x: '644 before' });
  rmSync(join(bench.dataDir, 'snapshots/blobs'));
  expect(await tryWrite(gate, 'x')).toBe('written');
});

test('a journal that cannot be written refuses the write', async () => {
  await using bench = createWorkbench();
  mkdirSync(join(bench.dataDir, 'snapshots/journals', `${bench.strand}.jsonl`), { recursive: true });
  const gate = await openGate(bench);
  expect(await tryWrite(gate, 'new/x')).toBe('park_failed');
  expect(treeOf(bench.root)).toEqual({});
});

test('saved versions and journals are private, whatever the umask', async () => {
  await using bench = createWorkbench();
  const old = process.umask(0);
  try {
    writeFileSync(bench.path('x'), 'before', { mode: 0o640 });
    await bench.turn((gate) => write(gate, 'x', 'after'));
    await bench.turn((gate) => write(gate, 'made', 'new'));
  } finally {
    process.umask(old);
  }
  expect(treeOf(bench.root)).toEqual({ x: '640 after', made: '666 new' });
  const listed = execFileSync('find', [join(bench.dataDir, 'snapshots'), '-perm', '/077'], {
    encoding: 'utf8',
  });
  expect(listed).toBe('');
});

test('a new file gets the mode of the umask, an existing one keeps its own', async () => {
  await using bench = createWorkbench();
  const old = process.umask(0o027);
  try {
    writeFileSync(bench.path('old'), '');
    chmodSync(bench.path('old'), 0o755);
    await bench.turn(async (gate) => {
      await write(gate, 'old', 'x');
      await write(gate, 'fresh', 'x');
    });
  } finally {
    process.umask(old);
  }
  expect(treeOf(bench.root)).toEqual({ old: '755 x', fresh: '640 x' });
});

test('a write of what is there already touches nothing', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('x'), 'same');
  const { ino } = statSync(bench.path('x'));
  const gate = await openGate(bench);
  const result = await gate.write({ call: 'c', path: 'x', bytes: Buffer.from('same') });
  expect(result.kind).toBe('written');
  expect(statSync(bench.path('x')).ino).toBe(ino);
  expect((await gate.settle()).files).toEqual([]);
});

test('a turn tells what it did, with line counts, and that a command is only partly covered', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('edit.txt'), 'a\nb\nc\n');
  writeFileSync(bench.path('gone.bin'), Buffer.from([0, 1]));
  writeFileSync(bench.path('shell.txt'), 'one\n');
  const gate = await openGate(bench);
  await write(gate, 'edit.txt', 'a\nB\nc\nd\n');
  await write(gate, 'made.txt', 'x\n');
  await write(gate, 'twice.txt', 'x\n');
  await remove(gate, 'twice.txt');
  await remove(gate, 'gone.bin');
  const checkpoint = await gate.checkpoint({ call: 'sh', paths: ['shell.txt'] });
  await gate.beforeUngated('sh', never);
  writeFileSync(bench.path('shell.txt'), 'one\ntwo\n');
  if (checkpoint.kind === 'parked') await checkpoint.settle();
  const { files, coverage } = await gate.settle();
  expect(files).toEqual([
    { path: 'edit.txt', status: 'modified', added: 2, removed: 1, by: 'gate' },
    { path: 'made.txt', status: 'added', added: 1, removed: 0, by: 'gate' },
    { path: 'gone.bin', status: 'deleted', added: null, removed: null, by: 'gate' },
    { path: 'shell.txt', status: 'modified', added: 1, removed: 0, by: 'shell' },
  ]);
  expect(coverage.level).toBe('partial');
  expect(coverage.reasons[0]).toMatch(/commands changed outside the write gate/);
});

test('a folder named in checkpoint_paths covers all that is in it, made, changed or deleted', async () => {
  await using bench = createWorkbench();
  mkdirSync(bench.path('d/keep'), { recursive: true });
  mkdirSync(bench.path('d/.git'));
  writeFileSync(bench.path('d/old.txt'), 'old');
  writeFileSync(bench.path('d/change.txt'), 'before');
  const original = treeOf(bench.root);
  const turn = await bench.turn(async (gate) => {
    const checkpoint = await gate.checkpoint({ call: 'sh', paths: ['d', 'new'] });
    await gate.beforeUngated('sh', never);
    rmSync(bench.path('d/old.txt'));
    writeFileSync(bench.path('d/change.txt'), 'after');
    mkdirSync(bench.path('d/made/deep'), { recursive: true });
    writeFileSync(bench.path('d/made/deep/x'), '1');
    writeFileSync(bench.path('d/keep/x'), '2');
    mkdirSync(bench.path('new'));
    writeFileSync(bench.path('new/x'), '3');
    if (checkpoint.kind === 'parked') await checkpoint.settle();
  });
  const changed = treeOf(bench.root);
  const { op, conflicts } = await bench.undo(turn);
  expect(conflicts).toEqual([]);
  expect(treeOf(bench.root)).toEqual(original);
  await bench.redo(op!);
  expect(treeOf(bench.root)).toEqual(changed);
});

test('a command that fills a named folder beyond the limit is said to have made files that do not come back', async () => {
  await using bench = createWorkbench({ base: quickFolder() });
  mkdirSync(bench.path('d'));
  const gate = await openGate(bench);
  const checkpoint = await gate.checkpoint({ call: 'sh', paths: ['d'] });
  for (let index = 0; index < 2001; index += 1) writeFileSync(bench.path('d', `f${index}`), '');
  if (checkpoint.kind === 'parked') await checkpoint.settle();
  const { coverage } = await gate.settle();
  expect(coverage).toEqual({
    level: 'partial',
    reasons: [
      'A command left more than 2000 entries in what checkpoint_paths named (d): files that it made there are not undone.',
    ],
  });
});

test('a hundred writes of one turn at once are all journalled and all come back', async () => {
  await using bench = createWorkbench();
  const turn = await bench.turn((gate) =>
    Promise.all(
      Array.from({ length: 100 }, (_, index) => write(gate, `d${index % 5}/f${index}`, `text ${index}`)),
    ),
  );
  expect(Object.keys(treeOf(bench.root))).toHaveLength(105);
  await bench.undo(turn);
  expect(treeOf(bench.root)).toEqual({});
});

test('no temp file is left behind', async () => {
  await using bench = createWorkbench();
  await bench.turn((gate) => write(gate, 'x', 'y'));
  expect(readdirSync(join(bench.dataDir, 'snapshots/blobs/tmp'))).toEqual([]);
  expect(existsSync(join(bench.dataDir, 'snapshots/journals', `${bench.strand}.open`))).toBe(false);
  expect(readFileSync(bench.path('x'), 'utf8')).toBe('y');
});
