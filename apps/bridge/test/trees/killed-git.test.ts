/** Git is a child process that may be killed at any moment, by the system or by a person: by SIGKILL, here. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Git } from '../../src/platform/git.ts';
import { storeDirOf } from '../../src/snapshots/trees/store-dir.ts';
import { collectGarbage } from '../../src/snapshots/trees/upkeep.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

interface KilledGit {
  readonly git: Git;
  /** From now on every git is killed `afterMs` after its start, or none is. */
  readonly kill: (afterMs: number | null) => void;
}

/** The real git behind a script that kills it, and itself, with SIGKILL. */
const killedGit = ({ home, git }: TreeBench): KilledGit => {
  const [path, flag] = [join(home, 'git-that-dies'), join(home, 'die')];
  writeFileSync(
    path,
    `#!/bin/sh
if [ ! -e "${flag}" ]; then exec "${git.path}" "$@"; fi
"${git.path}" "$@" <&0 &
sleep "$(cat "${flag}")"
kill -9 $! 2>/dev/null
kill -9 $$
`,
  );
  chmodSync(path, 0o755);
  return {
    git: { ...git, path },
    kill: (afterMs) => {
      if (afterMs === null) rmSync(flag, { force: true });
      else writeFileSync(flag, String(afterMs / 1000));
    },
  };
};

const fill = (bench: TreeBench, count: number, word: string): void => {
  for (let at = 0; at < count; at += 1) {
    mkdirSync(bench.path(`d${at % 7}`), { recursive: true });
    writeFileSync(bench.path(`d${at % 7}/f${at}`), `${word} ${at}\n`.repeat(200));
  }
};

const storeOf = async (bench: TreeBench) =>
  storeDirOf(join(bench.dataDir, 'snapshots/repos'), (await bench.tree()).key);

test('a capture whose git is killed is a failed capture, and the next one is right', async () => {
  await using bench = await createTreeBench();
  fill(bench, 50, 'one');
  writeFileSync(bench.path('.gitignore'), 'ignored\n');
  await bench.capture();
  const dying = killedGit(bench);
  await bench.reopen({ git: dying.git });
  fill(bench, 50, 'two');
  writeFileSync(bench.path('.gitignore'), 'ignored\nalso\n');
  dying.kill(0);
  await expect(bench.capture()).rejects.toMatchObject({ code: 'io' });
  dying.kill(null);
  const capture = await bench.capture();
  expect(capture.tree).toBe(bench.treeByGit());
  await bench.storeGit('rev-list', '--objects', '--quiet', capture.commit);
});

test('a gc that is killed anywhere is told, and leaves every capture and a store that works', async () => {
  await using bench = await createTreeBench();
  const commits: string[] = [];
  for (const word of ['one', 'two', 'three', 'four']) {
    fill(bench, 300, word);
    commits.push((await bench.capture()).commit);
  }
  for (const [at, commit] of commits.entries())
    await bench.storeGit('update-ref', `refs/skein/turns/aaaaaaaaaaaa/turn${at}/0`, commit);
  const dying = killedGit(bench);
  const store = await storeOf(bench);
  const nowMs = Date.now();
  for (const afterMs of [0, 3, 8, 15, 25, 40, 60]) {
    dying.kill(afterMs);
    await expect(collectGarbage(dying.git, store, { nowMs, mayRepack: true })).rejects.toMatchObject({
      code: 'io',
    });
    for (const commit of commits) await bench.storeGit('rev-list', '--objects', '--quiet', commit);
  }
  // Left by the dead: a lock of gc, which names its process, and packs that were never finished.
  writeFileSync(join(store.gitDir, 'gc.pid'), '999999999 nowhere');
  const old = new Date(nowMs - 30 * 86_400_000);
  utimesSync(join(store.gitDir, 'gc.pid'), old, old);
  dying.kill(null);
  await collectGarbage(dying.git, store, { nowMs, mayRepack: true });
  expect(existsSync(join(store.gitDir, 'gc.pid'))).toBe(false);
  const names = readdirSync(store.gitDir, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => name.endsWith('.lock'))).toEqual([]);
  writeFileSync(bench.path('after'), 'after');
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
  for (const commit of commits) await bench.storeGit('rev-list', '--objects', '--quiet', commit);
  expect(await bench.storeGit('fsck', '--full', '--strict')).not.toMatch(/error|missing|corrupt/);
});
