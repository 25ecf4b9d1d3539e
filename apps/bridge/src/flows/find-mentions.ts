/** Files of a session's workspace that match what was typed after `@`. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandId } from '@skein/core/record/ids';
import type { StrandState } from '@skein/core/strand/replay';

export interface FindMentionsDeps {
  readonly state: (strand: StrandId) => Promise<StrandState>;
  /** Relative paths of files that are not ignored, capped. */
  readonly listFiles: (cwd: string) => Promise<readonly string[]>;
}

const MAX_FOUND = 50;

/** Best first: name starts with the query, then name contains it, then path contains its letters in order. */
export const createFindMentions =
  (deps: FindMentionsDeps) =>
  async (input: {
    readonly strand: StrandId;
    readonly query: string;
  }): Promise<readonly { path: string }[]> => {
    const { header } = await deps.state(input.strand);
    if (header === null) throw new BridgeError('unreadable', 'This session has no readable header.');
    const query = input.query.toLocaleLowerCase();
    return (await deps.listFiles(header.cwd))
      .map((path) => ({ path, rank: rankOf(path.toLocaleLowerCase(), query) }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank || a.path.length - b.path.length || a.path.localeCompare(b.path))
      .slice(0, MAX_FOUND)
      .map(({ path }) => ({ path }));
  };

const rankOf = (path: string, query: string): number => {
  if (query === '') return 1;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith(query)) return 4;
  if (name.includes(query)) return 3;
  if (path.includes(query)) return 2;
  return isSubsequence(path, query) ? 1 : 0;
};

const isSubsequence = (text: string, letters: string): boolean => {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
};
