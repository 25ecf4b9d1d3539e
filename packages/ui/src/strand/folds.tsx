/** What the reader has unfolded. It outlives the row: a virtual list throws rows away and makes them again. */
import { createContext, use, useState } from 'react';

export type FoldStore = Map<string, boolean>;

const FoldContext = createContext<FoldStore | null>(null);

export const FoldProvider = FoldContext.Provider;

/** Open or not, and how to change it. `key` must be unique in the transcript. */
export const useFold = (key: string, byDefault = false): readonly [boolean, (open: boolean) => void] => {
  const store = use(FoldContext);
  const [chosen, setChosen] = useState(() => store?.get(key));
  const change = (next: boolean): void => {
    store?.set(key, next);
    setChosen(next);
  };
  return [chosen ?? byDefault, change];
};
