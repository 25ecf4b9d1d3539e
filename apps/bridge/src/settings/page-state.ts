/** Tabs and drafts of the page in `state/page.json`, so that two windows and a reload agree. */
import { type PageState, pageStateSchema } from '@skein/core/protocol/events';
import type { StrandId } from '@skein/core/record/ids';
import { openStateFile } from './state-file.ts';

export interface PageChange {
  readonly tabs?: readonly StrandId[] | undefined;
  /** An empty text removes the draft. */
  readonly draft?: { readonly strand: string; readonly text: string } | undefined;
}

export interface PageStateStore {
  get(): PageState;
  /** Durable when it resolves; `rev` grew by one when something changed. Fault `io`. */
  set(change: PageChange): Promise<PageState>;
  readonly aside: string | null;
}

export const openPageState = async (options: {
  readonly path: string;
  readonly nowIso: () => string;
}): Promise<PageStateStore> => {
  const empty: PageState = { rev: 0, tabs: [], drafts: {} };
  const file = await openStateFile({ ...options, schema: pageStateSchema, empty });
  return {
    aside: file.aside,
    get: file.current,
    set: (change) => file.update((state) => changed(state, change)),
  };
};

const changed = (state: PageState, { tabs, draft }: PageChange): PageState => {
  const nextTabs = tabs === undefined ? state.tabs : [...new Set(tabs)];
  const drafts = new Map(Object.entries(state.drafts));
  if (draft !== undefined && draft.text === '') drafts.delete(draft.strand);
  else if (draft !== undefined) drafts.set(draft.strand, draft.text);
  const next = { rev: state.rev + 1, tabs: nextTabs, drafts: Object.fromEntries(drafts) };
  const same = JSON.stringify({ ...next, rev: state.rev }) === JSON.stringify(state);
  return same ? state : next;
};
