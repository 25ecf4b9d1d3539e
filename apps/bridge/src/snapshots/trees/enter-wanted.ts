/** Names that nobody knows yet: the rules decide, and the wanted folders are gone into. */
import type { BytePath } from '../../platform/byte-path.ts';
import { type Findings, type FoundCandidate, newFindings } from './findings.ts';
import { enterFolder } from './look-at-folder.ts';
import type { Looker } from './look-at-name.ts';
import type { ScanContext } from './scan.ts';

export interface EnterContext extends ScanContext {
  /** Those of the candidates that belong to the capture. */
  readonly wanted: <T extends { readonly path: BytePath; readonly isFolder: boolean }>(
    candidates: readonly T[],
  ) => Promise<readonly T[]>;
}

/** So many new names are asked about and read at a time. */
const BATCH = 4000;

/**
 * From a first list of names: sorts them by the rules, tells of the wanted files and goes into the wanted folders, a
 * batch at a time. `contextNow` is asked for each, since the one before is in force by then. Fault `io`.
 */
export const enterWanted = async function* (
  contextNow: () => EnterContext,
  first: readonly FoundCandidate[],
): AsyncGenerator<Findings> {
  const names = [...first];
  const folders: FoundCandidate[] = [];
  // Its folder may have left the capture meanwhile, and a link may lie there now.
  const isPlaced = ({ folder }: FoundCandidate): boolean => contextNow().state.folders.has(folder);
  while (names.length + folders.length > 0) {
    const found = newFindings();
    const batch = names.splice(-BATCH).filter(isPlaced);
    // Whatever it was left out for is told again, or the rules hide it now.
    for (const { path } of batch) found.backIn.add(path);
    for (const candidate of await contextNow().wanted(batch))
      (candidate.isFolder ? folders : found.reads).push(candidate);
    yield found;
    const inside = enterSome({ ...contextNow(), findings: newFindings() }, folders, BATCH - names.length);
    for (const candidate of inside.candidates) names.push(candidate);
    yield inside;
  }
};

/** Takes from `folders` until about so many names were found in them. */
const enterSome = (looker: Looker, folders: FoundCandidate[], room: number): Findings => {
  const { state, findings } = looker;
  while (folders.length > 0 && findings.candidates.length < room) {
    const folder = folders.pop();
    if (folder !== undefined && state.folders.has(folder.folder)) enterFolder(looker, folder);
  }
  return findings;
};
