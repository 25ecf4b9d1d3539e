/** What `S` means in a command (DESIGN section 8). One function for CLI, API and page. */
import type { StrandId } from '../record/ids.ts';

export interface SelectorEntry {
  readonly id: StrandId;
  readonly name: string | null;
  readonly cwd: string;
  readonly updatedAt: string;
  readonly archived: boolean;
}

export interface SelectorQuery {
  /** What the user typed; null for the default. */
  readonly selector: string | null;
  readonly cwd: string | null;
  /** Where this terminal was last. */
  readonly waypoint: StrandId | null;
}

export type Resolution<Entry extends SelectorEntry> =
  | { readonly kind: 'found'; readonly entry: Entry }
  | { readonly kind: 'none'; readonly selector: string | null }
  /** Newest first. */
  | { readonly kind: 'ambiguous'; readonly selector: string; readonly candidates: readonly Entry[] };

/**
 * Exact name (newest wins), exact id, `latest`, unique id prefix; without a selector the terminal's
 * waypoint, else the newest of the cwd. Archived strands are found by name and id only.
 */
export const resolveSelector = <Entry extends SelectorEntry>(
  entries: readonly Entry[],
  query: SelectorQuery,
): Resolution<Entry> => {
  const newestFirst = entries.toSorted(byNewest);
  if (query.selector === null) return resolveDefault(newestFirst, query);
  const selector = query.selector.trim();
  const exact =
    newestFirst.find((entry) => entry.name === selector) ??
    newestFirst.find((entry) => entry.id === selector.toLowerCase()) ??
    (selector === 'latest' ? newestFirst.find((entry) => !entry.archived) : undefined);
  return exact === undefined ? resolvePrefix(newestFirst, selector) : { kind: 'found', entry: exact };
};

/** What `isValidName` asks for, as a sentence. */
export const NAME_RULE =
  'A name is one word of at most 64 characters that is not "latest", not all hex digits and starts with no "-".';

/** One word that can never be read as an id, a prefix of one, a turn number or `latest`. */
export const isValidName = (name: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  /^[^\s\u0000-\u001f\u007f-\u009f]{1,64}$/u.test(name) &&
  name.isWellFormed() &&
  !name.startsWith('-') &&
  !/^[0-9a-f]+$/i.test(name) &&
  name.toLowerCase() !== 'latest';

function resolveDefault<Entry extends SelectorEntry>(
  newestFirst: readonly Entry[],
  { waypoint, cwd }: SelectorQuery,
): Resolution<Entry> {
  const entry =
    newestFirst.find(({ id }) => id === waypoint) ??
    newestFirst.find((candidate) => candidate.cwd === cwd && !candidate.archived);
  return entry === undefined ? { kind: 'none', selector: null } : { kind: 'found', entry };
}

function resolvePrefix<Entry extends SelectorEntry>(
  newestFirst: readonly Entry[],
  selector: string,
): Resolution<Entry> {
  const prefix = selector.toLowerCase();
  const candidates = prefix === '' ? [] : newestFirst.filter(({ id }) => id.startsWith(prefix));
  const [entry, ...others] = candidates;
  if (entry === undefined) return { kind: 'none', selector };
  return others.length === 0 ? { kind: 'found', entry } : { kind: 'ambiguous', selector, candidates };
}

function byNewest(a: SelectorEntry, b: SelectorEntry): number {
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1;
  return a.id < b.id ? -1 : Number(a.id !== b.id);
}
