/** Which files the draft names: those that were picked, and those that a kept draft named before. */
import { useEffect, useRef, useState } from 'react';
import { mentionsIn, pathsNamedIn } from './mention-token.ts';

const MAX_MENTIONS = 100;

export interface Chosen {
  readonly named: readonly string[];
  readonly choose: (path: string) => void;
}

export const useChosen = (
  text: string,
  findFiles: ((query: string) => Promise<readonly string[]>) | undefined,
): Chosen => {
  // Never cleared: only what the text still names counts, and a draft that comes back names it again.
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const choose = (path: string): void => setChosen((now) => (now.includes(path) ? now : [...now, path]));
  const atFirst = useRef({ text, findFiles });
  useEffect(() => {
    const { text: draft, findFiles: find } = atFirst.current;
    if (find === undefined) return undefined;
    let wanted = true;
    for (const path of pathsNamedIn(draft)) {
      const add = (found: readonly string[]): void => {
        if (wanted && found.includes(path)) setChosen((now) => (now.includes(path) ? now : [...now, path]));
      };
      // A file that cannot be looked up is text like any other.
      find(path).then(add, () => undefined);
    }
    return () => {
      wanted = false;
    };
  }, []);
  return { named: mentionsIn(text, chosen).slice(0, MAX_MENTIONS), choose };
};
