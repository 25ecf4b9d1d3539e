/** Opens the snapshot store: one per process and data directory. */

import { BridgeError } from '@skein/core/protocol/errors';
import { isInside, realPathIfThere } from '../platform/paths.ts';
import { applyRestore } from './apply-restore.ts';
import type { SnapshotStoreDeps, StoreContext } from './deps.ts';
import { mustBeKept } from './expired.ts';
import { readFileAt } from './file-at.ts';
import { createGate } from './gate.ts';
import { newMemory } from './gate-context.ts';
import { readJournal } from './journal.ts';
import { markedStrands, readMarker } from './open-marker.ts';
import { createOpenTurns } from './open-turns.ts';
import { prepareRestore } from './prepare-restore.ts';
import { createQueue } from './queue.ts';
import { recoverRestores } from './recover-restore.ts';
import { recoverWrites } from './recover-writes.ts';
import { describeRestore } from './restore-result.ts';
import { settleTurn } from './settle-turn.ts';
import { diffTurns } from './turn-diff.ts';
import type { RestoreWorkspace, SnapshotStore } from './types.ts';

const AFTER_CRASH =
  'Skein stopped during this turn: what commands changed outside the write gate is not covered.';

/** Touches no file; folders are made by the first write. */
export const openSnapshotStore = (deps: SnapshotStoreDeps): SnapshotStore => {
  const store: StoreContext = {
    ...deps,
    queue: createQueue(),
    openTurns: createOpenTurns(),
    settling: new Set(),
    durableBlobs: new Set(),
  };
  return {
    async openGate({ strand, root, cwd, turn, forbidden }) {
      const [realRoot, realCwd] = [await mustBeReal(root), await mustBeReal(cwd)];
      if (!isInside(realCwd, realRoot)) {
        throw new BridgeError('invalid_input', `The folder ${cwd} does not lie in the workspace ${root}.`);
      }
      // A turn of this process that could not be settled left its marker behind.
      const left = (await readMarker(store, strand))?.turn ?? null;
      if (left !== null) await recoverWrites(store, { strand, root: realRoot }, left);
      const memory = newMemory();
      store.openTurns.begin(realRoot, strand, memory);
      return createGate({ store, strand, root: realRoot, cwd: realCwd, turn, forbidden, memory });
    },
    async settleFromJournal(workspace, turn) {
      await recoverWrites(store, await onRealRoot(workspace), turn);
      const { files, coverage } = await settleTurn(store, workspace.strand, turn);
      if (coverage.level === 'none') return { files, coverage };
      return { files, coverage: { level: 'partial', reasons: [...coverage.reasons, AFTER_CRASH] } };
    },
    fileAt: async (workspace, path, at) => readFileAt(store, await onRealRoot(workspace), { path, at }),
    turnDiff: (workspace, turns) => diffTurns(store, workspace, turns),
    async plan(workspace, request, target) {
      const real = await onRealRoot(workspace);
      const journal = await readJournal(store, real.strand);
      mustBeKept(journal.entries, { ...target, scope: request.scope });
      const prepared = await prepareRestore(store, real, { request, target, journal, park: false });
      return describeRestore(store, real, { request, target, prepared });
    },
    apply: async (...[workspace, request, target, commit]) =>
      applyRestore(store, { workspace: await onRealRoot(workspace), request, target, commit }),
    recover: async (workspace, ops) => recoverRestores(store, await onRealRoot(workspace), ops),
    unsettled: () => markedStrands(store),
  };
};

async function mustBeReal(path: string): Promise<string> {
  const real = await realPathIfThere(path);
  if (real === null)
    throw new BridgeError('not_found', `The folder ${path} does not exist.`, { data: { path } });
  return real;
}

/** A workspace that is gone keeps its name: every path in it is then out of reach, and nothing is made anew. */
async function onRealRoot(workspace: RestoreWorkspace): Promise<RestoreWorkspace> {
  return { ...workspace, root: (await realPathIfThere(workspace.root)) ?? workspace.root };
}
