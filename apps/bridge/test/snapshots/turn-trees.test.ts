/** What commands change is undone like everything else: captures around them, whose change it is, coverage. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestTrees } from './test-trees.ts';
import { createWorkbench, never, treeOf, type Workbench, write } from './workbench.ts';

/** A repository with a commit, whose turns are captured. */
const aBench = async (more: { base?: string; isRepo?: boolean } = {}): Promise<Workbench> => {
  const plain = createWorkbench(more.base === undefined ? {} : { base: more.base });
  const base = dirname(plain.root);
  mkdirSync(join(base, 'home'), { recursive: true });
  if (more.isRepo !== false && more.base === undefined) git(plain.root, 'init', '-q');
  return createWorkbench({ base, trees: await openTestTrees(plain.dataDir, join(base, 'home')) });
};

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], { cwd, encoding: 'utf8' });

const files = (bench: Workbench): unknown => {
  const { '.git': _git, ...rest } = treeOf(bench.root) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(rest).filter(([path]) => !path.startsWith('.git/')));
};

test('what a command made, changed, deleted, linked and made executable is undone and redone', async () => {
  await using bench = await aBench();
  writeFileSync(bench.path('change.txt'), 'before\n');
  writeFileSync(bench.path('gone.bin'), Buffer.from([0, 1, 2]));
  writeFileSync(bench.path('run.sh'), 'x\n', { mode: 0o644 });
  writeFileSync(bench.path('becomes-link'), 'file\n');
  const before = files(bench);
  const turn = await bench.turn(async (gate) => {
    await gate.beforeUngated('sh', never);
    writeFileSync(bench.path('change.txt'), 'after\n');
    rmSync(bench.path('gone.bin'));
    chmodSync(bench.path('run.sh'), 0o755);
    mkdirSync(bench.path('new/deep'), { recursive: true });
    writeFileSync(bench.path('new/deep/made.txt'), 'made\n');
    rmSync(bench.path('becomes-link'));
    symlinkSync('run.sh', bench.path('becomes-link'));
  });
  const after = files(bench);
  const undone = await bench.undo(turn);
  expect(undone.conflicts).toEqual([]);
  expect(files(bench)).toEqual(before);
  expect(existsSync(bench.path('new')), 'a folder the command made goes when it is empty').toBe(false);
  await bench.redo(undone.op!);
  expect(files(bench)).toEqual(after);
});

test('the turn says what commands changed, and that it is covered in full', async () => {
  await using bench = await aBench();
  writeFileSync(bench.path('a.txt'), 'one\n');
  const { settled } = await settledTurn(bench, async (gate) => {
    await gate.beforeUngated('sh', never);
    writeFileSync(bench.path('a.txt'), 'one\ntwo\n');
  });
  expect(settled).toEqual({
    files: [{ path: 'a.txt', status: 'modified', added: 1, removed: 0, by: 'shell' }],
    coverage: { level: 'full', reasons: [] },
  });
});

test('a file that a command wrote before the gate did goes back to what it was before the command', async () => {
  await using bench = await aBench();
  writeFileSync(bench.path('x'), 'original\n');
  const turn = await bench.turn(async (gate) => {
    await gate.beforeUngated('sh', never);
    writeFileSync(bench.path('x'), 'formatted\n');
    await write(gate, 'x', 'written\n');
  });
  expect((await bench.undo(turn)).conflicts).toEqual([]);
  expect(files(bench)).toEqual({ x: '644 original\n' });
});

test('a file that the gate wrote before a command did goes back to what it was before the gate', async () => {
  await using bench = await aBench();
  writeFileSync(bench.path('x'), 'original\n');
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'x', 'written\n');
    await gate.beforeUngated('sh', never);
    writeFileSync(bench.path('x'), 'formatted\n');
  });
  const undone = await bench.undo(turn);
  expect(undone.conflicts).toEqual([]);
  expect(files(bench)).toEqual({ x: '644 original\n' });
  await bench.redo(undone.op!);
  expect(files(bench)).toEqual({ x: '644 formatted\n' });
});

test('what the user edits after the turn is never taken for the command’s work', async () => {
  await using bench = await aBench();
  writeFileSync(bench.path('mine'), 'mine\n');
  const turn = await bench.turn(async (gate) => {
    await gate.beforeUngated('sh', never);
    writeFileSync(bench.path('theirs'), 'theirs\n');
  });
  writeFileSync(bench.path('mine'), 'mine, edited\n');
  await bench.undo(turn);
  expect(files(bench)).toEqual({ mine: '644 mine, edited\n' });
});

test('ignored files stay as they are, and rules that a command changes do not delete what they uncover', async () => {
  await using bench = await aBench();
  writeFileSync(bench.path('.gitignore'), '.env\n');
  writeFileSync(bench.path('.env'), 'SECRET=1\n');
  const { turn, settled } = await settledTurn(bench, async (gate) => {
    await gate.beforeUngated('sh', never);
    writeFileSync(bench.path('.gitignore'), '*.log\n');
    writeFileSync(bench.path('new.txt'), 'new\n');
  });
  expect(settled.coverage.reasons.join()).toContain('.env');
  await bench.undo(turn);
  expect(files(bench)).toEqual({ '.env': '644 SECRET=1\n', '.gitignore': '644 .env\n' });
});

test('inside another repository nothing is touched, and the turn says so', async () => {
  await using bench = await aBench();
  mkdirSync(bench.path('sub'));
  git(bench.path('sub'), 'init', '-q');
  writeFileSync(bench.path('sub/x'), 'before\n');
  const { turn, settled } = await settledTurn(bench, async (gate) => {
    await gate.beforeUngated('sh', never);
    writeFileSync(bench.path('sub/x'), 'after\n');
    writeFileSync(bench.path('y'), 'y\n');
  });
  expect(settled.coverage).toEqual({
    level: 'partial',
    reasons: ['Inside other repositories nothing is covered: sub.'],
  });
  await bench.undo(turn);
  expect(readFileSync(bench.path('sub/x'), 'utf8')).toBe('after\n');
  expect(existsSync(bench.path('y'))).toBe(false);
});

test('a plain folder without git in it is covered too', async () => {
  await using bench = await aBench({ isRepo: false });
  writeFileSync(bench.path('x'), 'before\n');
  const turn = await bench.turn(async (gate) => {
    await gate.beforeUngated('sh', never);
    renameSync(bench.path('x'), bench.path('y'));
  });
  expect(files(bench)).toEqual({ y: '644 before\n' });
  await bench.undo(turn);
  expect(files(bench)).toEqual({ x: '644 before\n' });
});

test('an undo works after the user’s own history is gone', async () => {
  await using bench = await aBench();
  writeFileSync(bench.path('x'), 'before\n');
  git(bench.root, 'add', '-A');
  git(bench.root, 'commit', '-qm', 'one');
  const turn = await bench.turn(async (gate) => {
    await gate.beforeUngated('sh', never);
    rmSync(bench.path('x'));
  });
  rmSync(bench.path('.git'), { recursive: true });
  await bench.undo(turn);
  expect(files(bench)).toEqual({ x: '644 before\n' });
});

test('two sessions whose commands ran at the same time: what either may have written is nobody’s', async () => {
  await using bench = await aBench();
  writeFileSync(bench.path('x'), 'before\n');
  const other = bench.newStrand();
  const first = await bench.openGate();
  const second = await bench.openGate({ strand: other });
  await first.gate.beforeUngated('sh', never);
  await second.gate.beforeUngated('sh', never);
  writeFileSync(bench.path('x'), 'after\n');
  const settled = await first.gate.settle();
  expect(settled.files.map(({ path, by }) => [path, by])).toEqual([['x', 'unattributed']]);
  await second.gate.settle();
  await bench.undo(first.turn);
  expect(files(bench), 'not selected by default').toEqual({ x: '644 after\n' });
});

test('what the gate of another session wrote meanwhile is not taken back with this session’s command', async () => {
  await using bench = await aBench();
  const other = bench.newStrand();
  const first = await bench.openGate();
  await first.gate.beforeUngated('sh', never);
  writeFileSync(bench.path('mine'), '1');
  const second = await bench.openGate({ strand: other });
  await write(second.gate, 'theirs', '2');
  await second.gate.settle();
  await first.gate.settle();
  await bench.undo(first.turn);
  expect(files(bench)).toEqual({ theirs: '644 2' });
});

test('a folder that cannot be captured is a reason in words, never a reason not to run', async () => {
  await using bench = await aBench();
  writeFileSync(join(bench.dataDir, 'snapshots'), 'in the way');
  const gate = await bench.openGate();
  await gate.gate.beforeUngated('sh', never);
  writeFileSync(bench.path('x'), '1');
  rmSync(join(bench.dataDir, 'snapshots'));
  const { coverage } = await gate.gate.settle();
  expect(coverage.level).toBe('partial');
  expect(coverage.reasons[0]).toMatch(/could not be captured, so what commands changed cannot be undone/);
});

test('a turn without commands captures nothing', async () => {
  await using bench = await aBench();
  await bench.turn((gate) => write(gate, 'x', '1'));
  expect(existsSync(join(bench.dataDir, 'snapshots', 'repos'))).toBe(false);
});

test('while a turn is being finalized in a folder, nothing is restored there', async () => {
  await using bench = await aBench();
  const done = await bench.turn((gate) => write(gate, 'x', '1'));
  const other = await bench.openGate({ strand: bench.newStrand() });
  await other.gate.beforeUngated('sh', never);
  const settling = other.gate.settle();
  await expect(bench.undo(done)).rejects.toMatchObject({ code: 'busy' });
  await settling;
  expect((await bench.undo(done)).applied).toBe(true);
  expect(lstatSync(bench.root).isDirectory()).toBe(true);
});

async function settledTurn(
  bench: Workbench,
  work: (gate: Awaited<ReturnType<Workbench['openGate']>>['gate']) => Promise<void>,
) {
  const { gate, turn } = await bench.openGate();
  await work(gate);
  return { turn, settled: await gate.settle() };
}
