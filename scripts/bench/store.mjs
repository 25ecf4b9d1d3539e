// What the versions of 200 turns take on disk, against the contents that changed, each deflated on its own.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { findGit } from '../../apps/bridge/src/platform/git.ts';
import { newName } from '../../apps/bridge/src/platform/ids.ts';
import { openTreeStore } from '../../apps/bridge/src/snapshots/trees/open-tree-store.ts';
import { turnRef, writeRef } from '../../apps/bridge/src/snapshots/trees/refs.ts';
import { storeDirOf } from '../../apps/bridge/src/snapshots/trees/store-dir.ts';
import { tempDir, times } from './tools.mjs';

const TURNS = 200;
const FILES = 1000;

/** Lines of words that deflate about as well as source does, to a third. */
const source = (seed, lines) => {
  const word = (at) =>
    createHash('sha1')
      .update(`${seed} ${at}`)
      .digest('hex')
      .slice(0, 3 + (at % 7));
  return Array.from(
    { length: lines },
    (_, at) => `  const ${word(at)} = call(${word(at + 1)}, ${word(at)}.${word(at % 9)});\n`,
  );
};

const bytesBelow = (dir) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);

const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;

export const storeBench = async () => {
  const { dir, remove } = tempDir();
  const root = path.join(dir, 'work');
  const fileOf = (at) => path.join(root, `d${at % 20}`, `file${at}.ts`);
  execFileSync('git', ['init', '-q', root]);
  for (let at = 0; at < FILES; at += 1) {
    mkdirSync(path.dirname(fileOf(at)), { recursive: true });
    writeFileSync(fileOf(at), source(at, 120).join(''));
  }
  const git = await findGit(process.env.PATH ?? '');
  const reposDir = path.join(dir, 'repos');
  const store = openTreeStore({
    git,
    nowMs: Date.now,
    newName,
    watch: false,
    maxFileBytes: 512 * 1024 * 1024,
    minFreeBytes: 0,
    onFault: (error) => console.error(error),
    reposDir,
    place: { home: dir, configHome: path.join(dir, '.config'), tempDirs: [] },
    own: [],
  });
  const opened = await store.open(root);
  if (opened.kind !== 'open') throw new Error('the folder is not captured');
  const { tree } = opened;
  await tree.capture();
  const { objects } = storeDirOf(reposDir, tree.key);
  const before = bytesBelow(objects);
  let changed = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const at of [turn, turn + 300, (turn * 7) % FILES]) {
      const lines = readFileSync(fileOf(at), 'utf8').split('\n');
      lines.splice(turn % lines.length, 1, `  // turn ${turn} was here`, `  return ${turn};`);
      writeFileSync(fileOf(at), lines.join('\n'));
      changed += deflateSync(readFileSync(fileOf(at))).length;
    }
    const { commit } = await tree.capture();
    await writeRef(
      storeDirOf(reposDir, tree.key),
      turnRef({ strand: 'a'.repeat(12), turn: String(turn).padStart(12, '0') }, 0),
      commit,
    );
  }
  const grown = bytesBelow(objects) - before;
  await store.gcStore(tree.key, { mayRepack: true });
  const packed = bytesBelow(objects) - before;
  await store.close();
  remove();
  const floor = `${kib(changed)} changed contents, deflated`;
  return [
    { what: `store after ${TURNS} turns of 3 files`, ours: kib(grown), floor, ratio: times(grown, changed) },
    {
      what: 'the same after its upkeep',
      ours: kib(Math.max(0, packed)),
      floor,
      ratio: times(Math.max(0, packed), changed),
    },
  ];
};
