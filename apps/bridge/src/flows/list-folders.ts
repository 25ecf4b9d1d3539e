/** Folders for the picker of a new session: one level, and those that already hold sessions. */
import type { StrandSummary } from '@skein/core/protocol/strands';

export interface ListFoldersDeps {
  readonly home: string;
  /** Sub-folders of a folder, or null when it cannot be read. */
  readonly subfolders: (path: string) => Promise<{
    path: string;
    parent: string | null;
    folders: { name: string; path: string; git: boolean }[];
  } | null>;
  readonly summaries: () => Promise<readonly StrandSummary[]>;
}

export interface Folders {
  path: string;
  parent: string | null;
  folders: { name: string; path: string; git: boolean }[];
  recent: string[];
}

const MAX_RECENT = 12;

/** An unreadable or missing folder shows as empty, with its own path. */
export const createListFolders =
  (deps: ListFoldersDeps) =>
  async (input: { readonly path: string | null }): Promise<Folders> => {
    const path = input.path ?? deps.home;
    const found = await deps.subfolders(path);
    const recent = [...new Set((await deps.summaries()).map(({ cwd }) => cwd))].slice(0, MAX_RECENT);
    return { ...(found ?? { path, parent: null, folders: [] }), recent };
  };
