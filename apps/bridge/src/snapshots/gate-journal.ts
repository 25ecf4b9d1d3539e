/**
 * Journal lines of a gate. The posts and pres of one path form a chain; a gap in it that an ungated tool of the turn
 * can explain is written down as the shell's work, so that any other gap is known to be somebody else's edit.
 */
import { type PathRef, pathKey } from '@skein/core/record/path-ref';
import { type FileState, sameFileState } from '@skein/core/restore/file-state';
import type { GateContext } from './gate-context.ts';
import { appendEntries } from './journal.ts';
import { markOpen } from './open-marker.ts';

export interface Mutation {
  readonly call: string;
  readonly path: PathRef;
  readonly pre: FileState;
  readonly post: FileState;
  readonly madeDirs: readonly PathRef[];
  readonly temp: string | null;
  readonly by: 'gate' | 'shell';
}

/** On disk when it resolves. The blobs of every `pre` and `post` must be there already. Fault `io`. */
export const journalMutations = async (gate: GateContext, mutations: readonly Mutation[]): Promise<void> => {
  if (mutations.length === 0) return;
  if (!gate.memory.marked) {
    await markOpen(gate.store, gate.strand, gate.turn);
    gate.memory.marked = true;
  }
  await append(gate, [...mutations.flatMap((mutation) => gapBefore(gate, mutation)), ...mutations]);
};

/** A journalled change that did not come about: the path is still as it was found. Fault `io`. */
export const journalUndone = async (gate: GateContext, mutation: Mutation): Promise<void> => {
  const { pre: post, post: pre } = mutation;
  await append(gate, [{ ...mutation, pre, post, madeDirs: [], temp: null }]);
};

/** For a write that changed nothing, because the file was like that already. Fault `io`. */
export const explainGap = async (gate: GateContext, found: Found): Promise<void> =>
  append(gate, gapBefore(gate, found));

type Found = Pick<Mutation, 'path' | 'pre'>;

function gapBefore({ memory }: GateContext, { path, pre }: Found): Mutation[] {
  const last = memory.last.get(pathKey(path));
  const call = memory.ungated.at(-1);
  if (last === undefined || call === undefined || last.ungated === memory.ungated.length) return [];
  if (sameFileState(last.post, pre)) return [];
  return [{ call, path, pre: last.post, post: pre, madeDirs: [], temp: null, by: 'shell' }];
}

async function append(
  { store, strand, turn, memory }: GateContext,
  mutations: readonly Mutation[],
): Promise<void> {
  const bodies = mutations.map((mutation) => {
    return { kind: 'mutation' as const, turn, ...mutation, madeDirs: [...mutation.madeDirs] };
  });
  await appendEntries(store, strand, bodies);
  memory.journalled += bodies.length;
  for (const { path, post } of mutations)
    memory.last.set(pathKey(path), { post, ungated: memory.ungated.length });
}
