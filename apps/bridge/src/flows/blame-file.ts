/** Who wrote which line of a file: the turns of all sessions that changed it, between them and after them the user. */
import { type BlameVersion, blameLines } from '@skein/core/blame/blame-lines';
import { BridgeError } from '@skein/core/protocol/errors';
import type { Blame } from '@skein/core/protocol/past';
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import { linesOf } from '@skein/core/restore/merge/lines';
import { promptText } from '@skein/core/strand/prompts';
import type { StrandState } from '@skein/core/strand/replay';
import { titleText } from '@skein/core/strand/title';
import { turnsOf } from '@skein/core/strand/turns';
import { decodeUtf8 } from '@skein/core/text/utf8';
import type { SnapshotStore } from '../snapshots/types.ts';

export interface BlameFileDeps {
  readonly summaries: () => Promise<readonly StrandSummary[]>;
  readonly state: (strand: StrandId) => Promise<StrandState>;
  readonly snapshots: Pick<SnapshotStore, 'turnDiff'>;
  /** Real path, the folder of sessions that can have changed it, and the bytes; null when there is no such file. */
  readonly look: (
    path: string,
  ) => Promise<{ readonly path: string; readonly root: string; readonly bytes: Uint8Array } | null>;
  /** The path relative to a folder, `/`-separated; null when it lies outside. */
  readonly inside: (path: string, folder: string) => string | null;
}

type Author = Blame['turns'][number];
interface Writing {
  readonly author: Author;
  readonly before: string | null;
  readonly after: string | null;
}

/** Faults: `not_found`, `invalid_input` (binary), `io`. Turns whose versions are gone count as the user's. */
export const createBlameFile =
  (deps: BlameFileDeps) =>
  async ({ path }: { readonly path: string }): Promise<Blame> => {
    const file = await deps.look(path);
    if (file === null) throw new BridgeError('not_found', `There is no file ${path}.`, { data: { path } });
    const text = file.bytes.includes(0) ? null : decodeUtf8(file.bytes);
    if (text === null)
      throw new BridgeError('invalid_input', `${path} is no text: it has no lines.`, { data: { path } });
    const writings: Writing[] = [];
    for (const { id, cwd } of await deps.summaries()) {
      const related = deps.inside(cwd, file.root) !== null || deps.inside(file.path, cwd) !== null;
      if (related) writings.push(...(await writingsOf(deps, id, file.path)));
    }
    const versions = writings
      .toSorted((a, b) => (a.author.at < b.author.at ? -1 : 1))
      .flatMap(({ author, before, after }): readonly BlameVersion<Author>[] => [
        { by: null, lines: linesOf(before ?? '') },
        { by: author, lines: linesOf(after ?? '') },
      ]);
    const lines = linesOf(text);
    return answer(file.path, lines, blameLines([...versions, { by: null, lines }]));
  };

const writingsOf = async (deps: BlameFileDeps, strand: StrandId, file: string): Promise<Writing[]> => {
  const state = await deps.state(strand);
  const root = state.header?.repo?.root ?? state.header?.cwd;
  const path = root === undefined ? null : deps.inside(file, root);
  if (root === undefined || path === null) return [];
  const found: Writing[] = [];
  for (const [turn, record] of state.turnRecords) {
    if (!record.files.some((change) => change.path === path)) continue;
    const { files } = await deps.snapshots.turnDiff({ strand, root }, [turn]);
    const change = files.find((one) => one.path === path);
    // Given back, binary or too long: what it left reads as the user's.
    if (change === undefined || change.binary || (change.before === null && change.after === null)) continue;
    const author = authorOf(state, { strand, turn, at: record.at });
    found.push({ author, before: change.before, after: change.after });
  }
  return found;
};

const authorOf = (
  state: StrandState,
  { strand, turn, at }: { readonly strand: StrandId; readonly turn: TurnId; readonly at: string },
): Author => {
  const prompt = state.nodes.get(turn)?.record;
  return {
    strand,
    turn,
    number: turnsOf(state).find((one) => one.turn === turn)?.number ?? null,
    prompt: prompt?.kind === 'message' ? titleText(promptText(prompt)) : '',
    agent: state.header?.agent ?? '',
    at,
  };
};

const answer = (path: string, lines: readonly string[], writers: readonly (Author | null)[]): Blame => {
  const turns = [...new Set(writers.filter((by) => by !== null))];
  return {
    path,
    turns,
    lines: lines.map((line, index) => {
      const by = writers[index] ?? null;
      return { text: line.replace(/\r?\n$/, ''), by: by === null ? null : turns.indexOf(by) };
    }),
  };
};
