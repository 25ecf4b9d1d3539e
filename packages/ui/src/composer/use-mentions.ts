import { type RefObject, useEffect, useRef, useState } from 'react';
import { completeMention, type MentionToken, mentionAt } from './mention-token.ts';

export interface Mentions {
  readonly isOpen: boolean;
  readonly loading: boolean;
  readonly paths: readonly string[];
  readonly active: number;
  /** After each change of text or caret. */
  readonly look: (text: string, caret: number) => void;
  /** True when the key was for the popup. */
  readonly onKey: (key: string) => boolean;
  readonly pick: (path: string) => void;
  readonly close: () => void;
}

export interface MentionOptions {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly findFiles: ((query: string) => Promise<readonly string[]>) | undefined;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onChosen: (path: string) => void;
}

const WAIT_MS = 70;

/** The popup of the `@`: what is typed, what fits, which row is chosen. */
export const useMentions = ({ text, onText, findFiles, field, onChosen }: MentionOptions): Mentions => {
  const [token, setToken] = useState<MentionToken | null>(null);
  const [active, setActive] = useState(0);
  /** The `@` that Esc closed the popup for. */
  const dismissed = useRef<number | null>(null);
  const { paths, loading } = useFound(token?.query, { findFiles, onChosen, onFound: () => setActive(0) });
  const close = (): void => setToken(null);
  const look = (now: string, caret: number): void => {
    const next = mentionAt(now, caret);
    if (next === null) dismissed.current = null;
    setToken(next?.start === dismissed.current ? null : next);
  };
  const pick = (path: string): void => {
    if (token === null) return;
    const done = completeMention(text, token, path);
    onText(done.text);
    onChosen(path);
    close();
    requestAnimationFrame(() => field.current?.setSelectionRange(done.caret, done.caret));
  };
  const move = (by: number): void =>
    setActive((now) => (now + by + paths.length) % Math.max(1, paths.length));
  const isOpen = token !== null && findFiles !== undefined;
  const onKey = (key: string): boolean => {
    const path = paths[active];
    if (!isOpen) return false;
    if (key === 'Escape') {
      dismissed.current = token.start;
      close();
    } else if (key === 'ArrowDown') move(1);
    else if (key === 'ArrowUp') move(-1);
    else if ((key === 'Enter' || key === 'Tab') && path !== undefined) pick(path);
    else return false;
    return true;
  };
  return {
    isOpen,
    loading,
    paths,
    active,
    look,
    onKey,
    pick,
    close,
  };
};

interface FoundOptions extends Pick<MentionOptions, 'findFiles' | 'onChosen'> {
  readonly onFound: () => void;
}

const NONE: readonly string[] = [];

/** What fits the query; what fitted the one before it stays in sight until then. */
function useFound(query: string | undefined, options: FoundOptions) {
  const [paths, setPaths] = useState(NONE);
  const [loading, setLoading] = useState(false);
  // The caller may pass new functions on each render; a search must not start anew for that.
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    if (query === undefined) {
      setPaths(NONE);
      return undefined;
    }
    let wanted = true;
    setLoading(true);
    const show = (found: readonly string[]): void => {
      if (!wanted) return;
      setPaths(found.slice(0, 50));
      setLoading(false);
      latest.current.onFound();
      // A path that was typed in full is as good as one that was picked.
      if (found.includes(query)) latest.current.onChosen(query);
    };
    const timer = setTimeout(() => {
      const found = latest.current.findFiles?.(query) ?? Promise.resolve([]);
      found.then(show, () => show([]));
    }, WAIT_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [query]);
  return { paths, loading };
}
