/** What is open on top of the page, and what is said in passing. Nothing here survives a reload. */
import type { RestoreRequest } from '@skein/core/protocol/restore';
import type { StrandId } from '@skein/core/record/ids';
import type { ComposerImage } from '@skein/ui/composer/images.ts';
import { createStore, type Readable } from './store.ts';

export type Overlay =
  | { readonly kind: 'palette'; readonly mode: 'all' | 'sessions' }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'restore'; readonly request: RestoreRequest }
  | { readonly kind: 'rename'; readonly strand: StrandId };

export interface Saying {
  readonly tone: 'info' | 'error' | 'done';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/** The three pages of a narrow window. */
export type NarrowPage = 'list' | 'session' | 'inspector';

export interface Ui {
  readonly overlay: Readable<Overlay | null>;
  readonly open: (overlay: Overlay) => void;
  readonly closeOverlay: () => void;
  readonly narrow: Readable<NarrowPage>;
  readonly showNarrow: (page: NarrowPage) => void;
  /** The turn that the Changes panel shows; null: the whole session. */
  readonly inspected: Readable<Readonly<Record<string, string | null>>>;
  readonly inspect: (strand: StrandId, turn: string | null) => void;
  /** Pictures that wait in a composer; too big for a draft, so a reload loses them. */
  readonly images: Readable<Readonly<Record<string, readonly ComposerImage[]>>>;
  readonly setImages: (strand: string, images: readonly ComposerImage[]) => void;
  /** Reports that were read. */
  readonly dismissed: Readable<ReadonlySet<string>>;
  readonly dismiss: (id: string) => void;
  readonly onSay: (listener: (saying: Saying) => void) => () => void;
  /** Shown for a few seconds in a corner. */
  readonly say: (saying: Saying) => void;
}

export function createUi(): Ui {
  const overlay = createStore<Overlay | null>(null);
  const narrow = createStore<NarrowPage>('session');
  const inspected = createStore<Readonly<Record<string, string | null>>>({});
  const images = createStore<Readonly<Record<string, readonly ComposerImage[]>>>({});
  const dismissed = createStore<ReadonlySet<string>>(new Set());
  /** Said before anything could show it. */
  let early: Saying[] = [];
  const listeners = new Set<(saying: Saying) => void>();
  return {
    overlay,
    open: overlay.set,
    closeOverlay: () => overlay.set(null),
    narrow,
    showNarrow: narrow.set,
    inspected,
    inspect: (strand, turn) => inspected.update((all) => ({ ...all, [strand]: turn })),
    images,
    setImages: (strand, next) => images.update((all) => ({ ...all, [strand]: next })),
    dismissed,
    dismiss: (id) => dismissed.update((all) => new Set([...all, id])),
    onSay: (listener) => {
      listeners.add(listener);
      for (const saying of early) listener(saying);
      early = [];
      return () => listeners.delete(listener);
    },
    say: (saying) => {
      if (listeners.size === 0) early.push(saying);
      for (const listener of listeners) listener(saying);
    },
  };
}
