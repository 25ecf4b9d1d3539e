/** Tabs as values: which sessions are open, in what order, and what was closed last. */
import type { StrandId } from '@skein/core/record/ids';

export interface Tabs {
  readonly open: readonly StrandId[];
  /** Newest last, so that closing can be taken back. */
  readonly closed: readonly { readonly id: StrandId; readonly index: number }[];
}

const MAX_TABS = 200;
const MAX_CLOSED = 25;

/** A new tab comes right of the one it was opened from. */
export function withTab(tabs: Tabs, id: StrandId, beside: StrandId | null): Tabs {
  if (tabs.open.includes(id)) return tabs;
  const at = beside === null ? -1 : tabs.open.indexOf(beside);
  const open = at === -1 ? [...tabs.open, id] : tabs.open.toSpliced(at + 1, 0, id);
  return { ...tabs, open: open.slice(-MAX_TABS), closed: tabs.closed.filter((tab) => tab.id !== id) };
}

export function withoutTab(tabs: Tabs, id: StrandId): Tabs {
  const index = tabs.open.indexOf(id);
  if (index === -1) return tabs;
  return {
    open: tabs.open.toSpliced(index, 1),
    closed: [...tabs.closed, { id, index }].slice(-MAX_CLOSED),
  };
}

/** The tab to show when this one closes: its right neighbour, else its left one. */
export function neighbourOf(open: readonly StrandId[], id: StrandId): StrandId | null {
  const index = open.indexOf(id);
  return open[index + 1] ?? open[index - 1] ?? null;
}

export function reopened(tabs: Tabs): { readonly tabs: Tabs; readonly id: StrandId | null } {
  const last = tabs.closed.at(-1);
  if (last === undefined) return { tabs, id: null };
  const open = tabs.open.includes(last.id) ? tabs.open : tabs.open.toSpliced(last.index, 0, last.id);
  return { tabs: { open, closed: tabs.closed.slice(0, -1) }, id: last.id };
}

/** Puts it before another tab; null: at the end. */
export function movedTab(tabs: Tabs, id: StrandId, before: StrandId | null): Tabs {
  if (id === before || !tabs.open.includes(id)) return tabs;
  const rest = tabs.open.filter((other) => other !== id);
  const at = before === null ? rest.length : rest.indexOf(before);
  const open = rest.toSpliced(at === -1 ? rest.length : at, 0, id);
  return open.every((other, index) => other === tabs.open[index]) ? tabs : { ...tabs, open };
}
