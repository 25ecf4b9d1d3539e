/** Which damaged lines stand in the way of writing, and how the user accepts them (DESIGN "Writing"). */

import type { Sha256 } from '@skein/core/record/ids';
import type { RecordBody } from '@skein/core/record/schema';
import { hashRange } from '../platform/line-reader.ts';
import type { FoldedFile } from './fold-file.ts';

export interface Blocker {
  readonly seq: number;
  readonly reason: string;
  readonly sha256: string;
}

/**
 * Damaged lines that nobody accepted, or that are no longer what was accepted. Torn lines at the end of the file, or right
 * before a sealed one, do not count: a crash while a torn tail was being sealed leaves those, and nothing that
 * was acknowledged.
 */
export const findBlockers = async (path: string, folded: FoldedFile): Promise<readonly Blocker[]> => {
  const blockers: Blocker[] = [];
  const { bad, seq: lastSeq } = folded.state;
  let sealedFrom = lastSeq + 1;
  for (const line of bad.toReversed()) {
    const sealed = line.accepted === 'sealed';
    if (sealed || (line.accepted === null && line.kind === 'torn' && line.seq === sealedFrom - 1)) {
      sealedFrom = line.seq;
      continue;
    }
    const place = folded.badLines.get(line.seq);
    const sha256 = place === undefined ? '' : await hashRange(path, place.offset, place.length);
    if (line.accepted !== 'user' || line.sha !== sha256)
      blockers.push({ seq: line.seq, reason: line.reason, sha256 });
  }
  return blockers.reverse();
};

/** The last line, when a crash left it torn but ended: it must be sealed before anything is appended. */
export const unsealedEnd = ({ state, badLines }: FoldedFile): { readonly bytes: number } | null => {
  const last = state.bad.at(-1);
  if (last?.seq !== state.seq || last.kind !== 'torn' || last.accepted !== null) return null;
  return { bytes: badLines.get(last.seq)?.length ?? 0 };
};

export const acceptance = ({ seq, sha256 }: Blocker): RecordBody => ({
  kind: 'recovery',
  line: seq,
  sha: sha256 as Sha256,
});

/** One sentence for a person. */
export const describeBlockers = (blockers: readonly Blocker[]): string => {
  const numbers = blockers.slice(0, 5).map(({ seq }) => seq);
  const more = blockers.length > numbers.length ? ` and ${blockers.length - numbers.length} more` : '';
  const lines = blockers.length === 1 ? `Line ${numbers[0]} is` : `Lines ${numbers.join(', ')}${more} are`;
  return `${lines} damaged. Everything else can be read; to write on, accept the loss in the page first (skein open).`;
};
