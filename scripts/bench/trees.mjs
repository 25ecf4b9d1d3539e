// Captures of a work tree against git on a warm private index, both sides durable; sizes by SKEIN_BENCH_FILES=1000,50000.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findGit } from '../../apps/bridge/src/platform/git.ts';
import { newName } from '../../apps/bridge/src/platform/ids.ts';
import { openTreeStore } from '../../apps/bridge/src/snapshots/trees/open-tree-store.ts';
import { median, mib, ms, residentBytes, tempDir, times } from './tools.mjs';

const SIZES = (process.env.SKEIN_BENCH_FILES ?? '1000,10000,50000').split(',').map(Number);
const ROUNDS = 9;
const PER_FOLDER = 49;

/** About 4 KB a file, in folders of 49, forty at the top. */
const makeFiles = (root, count) => {
  for (let folder = 0, made = 0; made < count; folder += 1) {
    const dir = path.join(root, `d${folder % 40}`, `e${Math.floor(folder / 40)}`);
    mkdirSync(dir, { recursive: true });
    for (let file = 0; file < PER_FOLDER && made < count; file += 1, made += 1)
      writeFileSync(
        path.join(dir, `file${file}.ts`),
        `export const x${made} = ${made};\n`.repeat(100 + (made % 60)),
      );
  }
};

const openTree = async (dir, root, watch) => {
  const git = await findGit(process.env.PATH ?? '');
  const store = openTreeStore({
    git,
    nowMs: Date.now,
    newName,
    watch,
    maxFileBytes: 512 * 1024 * 1024,
    minFreeBytes: 0,
    onFault: (error) => console.error(error),
    reposDir: path.join(dir, watch ? 'watched' : 'plain'),
    place: { home: dir, configHome: path.join(dir, '.config'), tempDirs: [] },
    own: [],
  });
  const opened = await store.open(root);
  if (opened.kind !== 'open') throw new Error('the folder is not captured');
  return { store, tree: opened.tree };
};

/** The same by git: a store of its own, its own warm index, everything synced. */
const gitSide = (dir, root) => {
  const gitDir = path.join(dir, 'git-side');
  execFileSync('git', ['init', '-q', '--bare', gitDir]);
  const run = (...args) =>
    execFileSync(
      'git',
      ['--git-dir', gitDir, '--work-tree', root, '-c', 'core.fsync=all', '-c', 'core.bare=false', ...args],
      {
        cwd: root,
        maxBuffer: 1e9,
      },
    );
  return () => {
    run('add', '-A');
    return run('write-tree').toString().trim();
  };
};

const timed = async (task) => {
  const started = performance.now();
  await task();
  return performance.now() - started;
};

const edit = (root, round) => {
  for (const folder of ['d1', 'd2', 'd3'])
    appendFileSync(path.join(root, folder, 'e0', 'file3.ts'), `// ${round}\n`);
};

const benchSize = async (count) => {
  const { dir, remove } = tempDir();
  const root = path.join(dir, 'work');
  mkdirSync(root);
  execFileSync('git', ['init', '-q', root]);
  makeFiles(root, count);
  const byGit = gitSide(dir, root);
  const plain = await openTree(dir, root, false);
  const firstGit = await timed(byGit);
  const firstOurs = await timed(plain.tree.capture);
  const idle = residentBytes(process.pid);
  const watched = await openTree(dir, root, true);
  await watched.tree.capture();
  const [ours, full, floor] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    edit(root, round);
    // Turn about, so that a busy disk hits all of them.
    ours.push(await timed(watched.tree.capture));
    full.push(await timed(plain.tree.capture));
    floor.push(await timed(byGit));
  }
  const added = residentBytes(process.pid) - idle;
  await watched.store.close();
  await plain.store.close();
  remove();
  const name = `${count / 1000}k files`;
  return [
    {
      what: `${name}: first capture`,
      ours: ms(firstOurs),
      floor: `${ms(firstGit)} git add, write-tree`,
      ratio: times(firstOurs, firstGit),
    },
    {
      what: `${name}, 3 changed: capture with the watcher`,
      ours: ms(median(ours)),
      floor: `${ms(median(floor))} git add, write-tree`,
      ratio: times(median(ours), median(floor)),
    },
    {
      what: `${name}, 3 changed: capture with a full look`,
      ours: ms(median(full)),
      floor: `${ms(median(floor))} git add, write-tree`,
      ratio: times(median(full), median(floor)),
    },
    {
      what: `${name}: memory that a watched tree adds`,
      ours: mib(Math.max(0, added)),
      floor: '-',
      ratio: '-',
    },
  ];
};

export const treesBench = async () => {
  const rows = [];
  for (const count of SIZES) rows.push(...(await benchSize(count)));
  return rows;
};
