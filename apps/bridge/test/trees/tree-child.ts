/**
 * Captures one folder again and again, changing it in between, until it is killed or has done `rounds`. Run as a process
 * of its own; it says `ready` before the first capture.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findGit } from '../../src/platform/git.ts';
import { newName } from '../../src/platform/ids.ts';
import { openTreeStore } from '../../src/snapshots/trees/open-tree-store.ts';

export interface TreeJob {
  readonly root: string;
  readonly dataDir: string;
  readonly home: string;
  readonly path: string;
  readonly rounds: number;
  /** Whether it changes the folder itself. */
  readonly writes: boolean;
}

const job: TreeJob = JSON.parse(readFileSync(0, 'utf8'));
const git = await findGit(job.path);
if (git === null) throw new Error('no git');
const store = openTreeStore({
  git,
  nowMs: Date.now,
  newName,
  watch: true,
  maxFileBytes: 1e9,
  minFreeBytes: 0,
  onFault: (error) => {
    throw error;
  },
  reposDir: join(job.dataDir, 'snapshots/repos'),
  place: { home: job.home, configHome: join(job.home, '.config'), tempDirs: [] },
  own: [job.dataDir],
});
process.stdout.write('ready\n');
for (let round = 0; round < job.rounds; round += 1) {
  if (job.writes) {
    const folder = join(job.root, `d${round % 5}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (let at = 0; at < 60; at += 1) writeFileSync(join(folder, `f${at}`), `${process.pid} ${round} ${at}`);
  }
  const opened = await store.open(job.root);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  await opened.tree.capture();
}
await store.close();
