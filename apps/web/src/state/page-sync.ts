/**
 * Tabs and drafts: at once here, soon after in the bridge, then in every other window. While a change of
 * ours is under way the bridge's word waits, so that no key stroke and no drag is taken back.
 */
import type { PageState } from '@skein/core/protocol/events';
import type { StrandId } from '@skein/core/record/ids';
import { createStore, type Readable } from './store.ts';
import type { Tabs } from './tabs.ts';

export interface PageSink {
  set(input: { tabs?: StrandId[]; draft?: { strand: string; text: string } }): Promise<PageState>;
}

export interface PageSync {
  /** Null until the bridge told which tabs are open. */
  readonly tabs: Readable<Tabs | null>;
  /** Drafts by session id; `new` is the one of the new-session screen. */
  readonly drafts: Readable<Readonly<Record<string, string>>>;
  changeTabs(change: (tabs: Tabs) => Tabs): void;
  setDraft(strand: string, text: string): void;
  /** What the global stream says. */
  receive(page: PageState): void;
  /** Sends at once what waits, and again what could not be sent. */
  flush(): void;
  stop(): void;
}

const TABS_MS = 80;
const DRAFT_MS = 400;
const NO_TABS: Tabs = { open: [], closed: [] };

export function createPageSync(sink: PageSink, onError: (error: unknown) => void): PageSync {
  const tabs = createStore<Tabs | null>(null);
  const drafts = createStore<Readonly<Record<string, string>>>({});
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  /** Writes whose answer has not come yet, by what they write. */
  const sent = new Map<string, number>();
  /** What the bridge did not take; kept here until it can be sent. */
  const failed = new Set<string>();
  let latest: PageState | null = null;

  const isOurs = (name: string) => waiting.has(name) || failed.has(name) || (sent.get(name) ?? 0) > 0;
  const receive = (page: PageState) => {
    if (latest !== null && page.rev < latest.rev && page !== latest) return;
    latest = page;
    if (!isOurs('tabs')) adoptTabs(page.tabs);
    const merged: Record<string, string> = { ...page.drafts };
    for (const [strand, text] of Object.entries(drafts.get())) if (isOurs(strand)) merged[strand] = text;
    drafts.set(merged);
  };
  const adoptTabs = (open: readonly StrandId[]) => {
    const now = tabs.get() ?? NO_TABS;
    const same = open.length === now.open.length && open.every((id, index) => now.open[index] === id);
    if (!same || tabs.get() === null) tabs.set({ ...now, open });
  };
  const send = async (name: string) => {
    clearTimeout(waiting.get(name));
    waiting.delete(name);
    failed.delete(name);
    sent.set(name, (sent.get(name) ?? 0) + 1);
    try {
      const input =
        name === 'tabs'
          ? { tabs: [...(tabs.get()?.open ?? [])] }
          : { draft: { strand: name, text: drafts.get()[name] ?? '' } };
      const page = await sink.set(input);
      sent.set(name, (sent.get(name) ?? 1) - 1);
      receive(page);
    } catch (error) {
      sent.set(name, (sent.get(name) ?? 1) - 1);
      failed.add(name);
      onError(error);
    }
  };
  const later = (name: string, ms: number) => {
    clearTimeout(waiting.get(name));
    const fire = () => {
      send(name).catch(onError);
    };
    waiting.set(name, setTimeout(fire, ms));
  };
  return {
    tabs,
    drafts,
    receive,
    changeTabs: (change) => {
      const now = tabs.get() ?? NO_TABS;
      const next = change(now);
      if (next === now) return;
      tabs.set(next);
      if (next.open !== now.open) later('tabs', TABS_MS);
    },
    setDraft: (strand, text) => {
      if ((drafts.get()[strand] ?? '') === text) return;
      drafts.set({ ...drafts.get(), [strand]: text });
      later(strand, DRAFT_MS);
    },
    flush: () => {
      for (const name of new Set([...waiting.keys(), ...failed])) send(name).catch(onError);
    },
    stop: () => {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
