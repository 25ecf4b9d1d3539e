/**
 * An undo that is killed at each step, then a recovery that is killed too, then a third start: every file is
 * exactly before or after, and the history says which (DESIGN sections 5 and 10; TRAPS D7).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSandbox, runCommand, type Sandbox } from './bridge-process.ts';

const LONG = process.env['SKEIN_TEST_LONG'] === '1';
/** The suites of `snapshots/` kill at every point in one process each; here a few go through the whole product. */
const UNDO_POINTS = LONG
  ? [
      'restore.parked',
      'restore.before-intent',
      'restore.after-intent',
      'restore.staged.0',
      'restore.before-swap.1',
      'restore.renamed.0',
      'restore.deleted.2',
      'restore.folders-dropped',
      'restore.before-commit',
      'restore.after-commit',
      'restore.settled',
    ]
  : ['restore.after-intent', 'restore.renamed.0', 'restore.deleted.2', 'restore.after-commit'];
const RECOVERY_POINTS = LONG
  ? ['recover.before.0', 'recover.after.1', 'recover.before-commit', 'recover.after-commit']
  : ['recover.after.1', 'recover.before-commit'];

const BEFORE: Readonly<Record<string, string | null>> = {
  'a.txt': 'a before\n',
  'made/b.txt': null,
  'c.txt': 'c before\n',
};
const AFTER: Readonly<Record<string, string | null>> = {
  'a.txt': 'a after\n',
  'made/b.txt': 'b after\n',
  'c.txt': null,
};
const SCRIPT = 'write a.txt a after\nwrite made/b.txt b after\nrm c.txt';

const state = ({ workspace }: Sandbox): Record<string, string | null> =>
  Object.fromEntries(
    Object.keys(BEFORE).map((path) => {
      const full = join(workspace, path);
      return [path, existsSync(full) ? readFileSync(full, 'utf8') : null];
    }),
  );

const withPoint = (sandbox: Sandbox, point: string): Sandbox => ({
  ...sandbox,
  env: { ...sandbox.env, SKEIN_FAILPOINT: point },
});

const prepare = async (sandbox: Sandbox): Promise<string> => {
  writeFileSync(join(sandbox.workspace, 'a.txt'), 'a before\n');
  writeFileSync(join(sandbox.workspace, 'c.txt'), 'c before\n');
  const args = ['run', '--cwd', sandbox.workspace, '--agent', 'script', '--json', '-'];
  const run = await runCommand(sandbox, args, SCRIPT);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(state(sandbox)).toEqual(AFTER);
  return (JSON.parse(run.stdout) as { strand: string }).strand;
};

/** The next write to the session settles what was left; the outcome is one or the other, and the log agrees. */
const settleAndCheck = async (sandbox: Sandbox, strand: string): Promise<void> => {
  const named = await runCommand(sandbox, ['name', strand, 'settled']);
  expect(named.code, named.stderr).toBe(0);
  const shown = await runCommand(sandbox, ['show', strand, '--json']);
  const { turns } = JSON.parse(shown.stdout) as { turns: { undone: boolean }[] };
  // An undo of both moves the tip before the turn: then it is on no path any more.
  const undone = turns.length === 0 || turns[0]?.undone === true;
  expect(state(sandbox)).toEqual(undone ? BEFORE : AFTER);
  expect((await runCommand(sandbox, ['lint', strand])).code).toBe(0);
  const there = await runCommand(sandbox, undone ? ['redo', strand] : ['undo', strand]);
  expect(there.code, there.stderr).toBe(0);
  expect(state(sandbox)).toEqual(undone ? AFTER : BEFORE);
};

test.each(UNDO_POINTS)(
  'an undo killed at %s is settled by the next start',
  async (point) => {
    using sandbox = makeSandbox();
    const strand = await prepare(sandbox);
    const killed = await runCommand(withPoint(sandbox, point), ['undo', strand]);
    expect(killed.code, `${point} was not reached`).not.toBe(0);
    await settleAndCheck(sandbox, strand);
  },
  90_000,
);

test.each(RECOVERY_POINTS)(
  'a recovery killed at %s is finished by the one after it',
  async (point) => {
    using sandbox = makeSandbox();
    const strand = await prepare(sandbox);
    expect((await runCommand(withPoint(sandbox, 'restore.after-intent'), ['undo', strand])).code).not.toBe(0);
    const again = await runCommand(withPoint(sandbox, point), ['name', strand, 'again']);
    expect(again.code, `${point} was not reached`).not.toBe(0);
    await settleAndCheck(sandbox, strand);
  },
  90_000,
);
