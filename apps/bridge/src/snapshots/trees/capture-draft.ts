/** Puts findings in force piece by piece, so that memory does not grow with the work tree. */
import type { BytePath } from '../../platform/byte-path.ts';
import { createPack } from '../../platform/pack-file.ts';
import { createReadBuffer } from '../../platform/read-content.ts';
import type { Captured } from './captured.ts';
import { type Findings, pathOf, type TreeState } from './findings.ts';
import { foldFindings } from './fold-findings.ts';
import { indexOfName } from './folder.ts';
import { hiddenBefore } from './hidden-before.ts';
import { readEntry } from './read-entry.ts';
import type { TreeChange } from './types.ts';
import type { WorkTreeContext } from './work-tree-context.ts';

/** A pack is closed at this size. */
const PACK_BYTES = 8 * 1024 * 1024;
const NOTHING: ReadonlySet<BytePath> = new Set();

interface DraftRequest {
  readonly start: TreeState;
  readonly before: Captured | null;
  readonly relisted: boolean;
}

/** Faults of `put`: `io`. */
export const createDraft = (context: WorkTreeContext, { start, before, relisted }: DraftRequest) => {
  const { store, nowMs, maxFileBytes } = context;
  const pack = createPack(store.objects);
  const memory = createReadBuffer();
  const changes: TreeChange[] = [];
  const hidden: BytePath[] = [];
  const removed: BytePath[] = [];
  const newFolders: BytePath[] = [];
  let state = start;
  let read = 0;
  return {
    state: () => state,
    async put(findings: Findings): Promise<void> {
      const wereHidden = relisted && before !== null ? await hiddenOf(context, findings, before) : NOTHING;
      const reading = { state, pack, memory, objects: store.objects, nowMs, maxFileBytes };
      const folded = await foldFindings(
        {
          before: state,
          wasHidden: (path) => wereHidden.has(path),
          async read(found, known) {
            if (pack.size() > PACK_BYTES) pack.seal();
            return readEntry(reading, found, known);
          },
        },
        findings,
      );
      state = folded.state;
      read += findings.reads.length;
      for (const path of wereHidden) hidden.push(path);
      for (const path of folded.removed) removed.push(path);
      // Nobody asks what came into the first capture.
      if (before === null) return;
      for (const change of folded.changes) changes.push(change);
      for (const spot of findings.newFolders) newFolders.push(pathOf(spot));
    },
    finish: () => ({ state, pack, changes, hidden, removed, newFolders, read }),
  };
};

const hiddenOf = async (
  context: WorkTreeContext,
  findings: Findings,
  before: Captured,
): Promise<ReadonlySet<BytePath>> => {
  const fresh = findings.reads.filter(({ folder, name }) => {
    const known = before.state.folders.get(folder);
    return known === undefined || indexOfName(known.names, name) < 0;
  });
  return hiddenBefore(context, before, fresh.map(pathOf));
};
