/** Where the reader was in each session, over a change of tabs and a reload; and what was unfolded, until then. */
import type { StrandId } from '@skein/core/record/ids';
import { type LocalStore, readJson } from './local.ts';

/** As the transcript of `ui` tells it: the end, or a row and how far it is scrolled. */
export type Place = 'end' | { readonly id: string; readonly offset: number };

export interface Places {
  readonly get: (strand: StrandId) => Place;
  readonly set: (strand: StrandId, place: Place) => void;
  readonly folds: (strand: StrandId) => Map<string, boolean>;
}

const MAX = 100;

export function createPlaces(local: LocalStore): Places {
  const saved = readJson(local, 'places');
  const places = new Map<string, Place>(
    typeof saved === 'object' && saved !== null ? Object.entries(saved as Record<string, Place>) : [],
  );
  const folds = new Map<StrandId, Map<string, boolean>>();
  return {
    get: (strand) => places.get(strand) ?? 'end',
    set: (strand, place) => {
      places.delete(strand);
      // The end is where one is without a word.
      if (place !== 'end') places.set(strand, place);
      local.write('places', JSON.stringify(Object.fromEntries([...places].slice(-MAX))));
    },
    folds: (strand) => {
      const known = folds.get(strand) ?? new Map<string, boolean>();
      folds.set(strand, known);
      return known;
    },
  };
}
