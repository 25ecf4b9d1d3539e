/** A system that allows 128 watches: captures are right without them, and that they are slower is said once. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTreeBench } from './tree-bench.ts';

const LOWER = 'echo 128 > /proc/sys/user/max_inotify_watches && exec "$0" "$@"';
const inLimit = (args: readonly string[]) =>
  spawnSync('unshare', ['-Ur', 'sh', '-c', LOWER, process.execPath, ...args], {
    encoding: 'utf8',
    timeout: 120_000,
  });

// Skipped where no user namespace may be made.
const canLimit = process.platform === 'linux' && inLimit(['-e', '']).status === 0;

test.skipIf(!canLimit)('with 128 watches and 300 folders every capture is right, and it is said once', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'skein-few-')));
  const [root, data] = [join(base, 'work'), join(base, 'data')];
  mkdirSync(data);
  for (let at = 0; at < 300; at += 1) {
    mkdirSync(join(root, `d${at}`), { recursive: true });
    writeFileSync(join(root, `d${at}`, 'f'), `${at}`);
  }
  execFileSync('git', ['init', '-q'], { cwd: root });
  const url = (name: string): string => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href);
  const script = `
    import { writeFileSync } from 'node:fs';
    import { execFileSync } from 'node:child_process';
    const { openTreeStore } = await import(${url('snapshots/trees/open-tree-store.ts')});
    const { findGit } = await import(${url('platform/git.ts')});
    const { newName } = await import(${url('platform/ids.ts')});
    const [root, data] = process.argv.slice(1);
    const notices = [];
    const git = await findGit(process.env.PATH);
    const store = openTreeStore({ git, nowMs: Date.now, newName, watch: true, maxFileBytes: 1e9, minFreeBytes: 0,
      onFault: (error) => { throw error; }, notice: (text) => notices.push(text), reposDir: data + '/repos',
      place: { home: data, configHome: data, tempDirs: [] }, own: [] });
    const byGit = () => { execFileSync('git', ['add', '-A'], { cwd: root });
      return execFileSync('git', ['write-tree'], { cwd: root, encoding: 'utf8' }).trim(); };
    const { tree } = await store.open(root);
    const right = [];
    for (const name of ['d0/f', 'd150/f', 'd299/f', 'd299/new']) {
      writeFileSync(root + '/' + name, 'changed ' + name);
      right.push((await tree.capture()).tree === byGit());
    }
    await store.close();
    console.log(JSON.stringify({ right, notices: notices.length, says: /watched/.test(notices[0]) }));`;
  const { stdout, stderr } = inLimit(['--input-type=module', '-e', script, root, data]);
  rmSync(base, { recursive: true });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ right: [true, true, true, true], notices: 1, says: true });
});

test('more folders than are to be watched: none is, and every capture is right', async () => {
  const notices: string[] = [];
  await using bench = await createTreeBench({
    deps: { watch: true, maxWatches: 3, notice: (text) => notices.push(text) },
  });
  for (let at = 0; at < 9; at += 1) {
    mkdirSync(bench.path(`d${at}`));
    writeFileSync(bench.path(`d${at}/f`), `${at}`);
  }
  for (const name of ['d0/f', 'd8/f', 'd8/new']) {
    writeFileSync(bench.path(name), `changed ${name}`);
    expect((await bench.capture()).tree).toBe(bench.treeByGit());
  }
  expect(notices).toHaveLength(1);
});
