/** A process of its own that captures a folder, to be killed. */
import { join } from 'node:path';
import { findGit } from '../../src/platform/git.ts';
import { newName } from '../../src/platform/ids.ts';
import { openTreeStore } from '../../src/snapshots/trees/open-tree-store.ts';

const [root = '', dataDir = '', home = ''] = process.argv.slice(2);
const git = await findGit(process.env['PATH'] ?? '');
if (git === null) throw new Error('These tests need git.');
const store = openTreeStore({
  git,
  nowMs: Date.now,
  newName,
  watch: false,
  maxFileBytes: 1024 * 1024,
  minFreeBytes: 0,
  onFault: (error) => {
    throw error;
  },
  reposDir: join(dataDir, 'snapshots', 'repos'),
  place: { home, configHome: join(home, '.config'), tempDirs: [] },
  own: [dataDir],
});
const opened = await store.open(root);
if (opened.kind === 'open') await opened.tree.capture();
await store.close();
