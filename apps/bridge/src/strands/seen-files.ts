/** What was last told about each strand file, so that a change is told once however often it is noticed. */
import type { StrandId } from '@skein/core/record/ids';
import { type FileKey, sameKey, scanFile } from '../platform/scan-dir.ts';
import type { StrandFile } from './strand-files.ts';

export interface StrandChange {
  readonly id: StrandId;
  readonly kind: 'changed' | 'gone';
}

export interface SeenFiles {
  /** Looks at one file. */
  look(path: string, id: StrandId): void;
  /** Compares with a scan of all. The first one only takes note. */
  compare(files: readonly StrandFile[]): void;
}

interface Seen {
  readonly path: string;
  readonly id: StrandId;
}

export const createSeenFiles = (emit: (change: StrandChange) => void): SeenFiles => {
  const told = new Map<string, Seen & { readonly key: FileKey }>();
  let scanned = false;
  const see = ({ path, id }: Seen, now: FileKey | null, unknownIsNews: boolean): void => {
    const before = told.get(path);
    if (now === null || now.size === 0) {
      told.delete(path);
      if (before !== undefined) emit({ id, kind: 'gone' });
      return;
    }
    told.set(path, { path, id, key: now });
    const isNews = before === undefined ? unknownIsNews : !sameKey(before.key, now);
    if (isNews) emit({ id, kind: 'changed' });
  };
  return {
    look: (path, id) => see({ path, id }, scanFile(path), true),
    compare: (files) => {
      const present = new Set(files.map(({ path }) => path));
      for (const file of files) see(file, file, scanned);
      for (const [path, file] of told) if (!present.has(path)) see(file, null, true);
      scanned = true;
    },
  };
};
