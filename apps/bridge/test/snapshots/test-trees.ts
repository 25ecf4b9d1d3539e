/** A tree store for tests of turns and upkeep. */
import { join } from 'node:path';
import { findGit, type Git } from '../../src/platform/git.ts';
import { newName } from '../../src/platform/ids.ts';
import type { TreeAccess } from '../../src/snapshots/tree-access.ts';
import { openTreeStore } from '../../src/snapshots/trees/open-tree-store.ts';
import { rethrow } from './workbench.ts';

export const openTestTrees = async (
  dataDir: string,
  home: string,
  watch = false,
): Promise<
  Extract<TreeAccess, { kind: 'trees' }> & { readonly git: Git; readonly closeAll: () => Promise<void> }
> => {
  const git = await findGit(process.env['PATH'] ?? '');
  if (git === null) throw new Error('These tests need git.');
  const store = openTreeStore({
    git,
    nowMs: Date.now,
    newName,
    watch,
    maxFileBytes: 1024 * 1024,
    minFreeBytes: 0,
    onFault: rethrow,
    reposDir: join(dataDir, 'snapshots', 'repos'),
    place: { home, configHome: join(home, '.config'), tempDirs: [] },
    own: [dataDir],
  });
  return { kind: 'trees', store, git, closeAll: store.close };
};
