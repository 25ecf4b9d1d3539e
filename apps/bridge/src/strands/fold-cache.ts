/** Folded strands kept in memory for the next reader. A file that only grew is folded on from where it ended. */
import { hashRange } from '../platform/line-reader.ts';
import { sameKey } from '../platform/scan-dir.ts';
import { type FoldedFile, type FoldOptions, foldFile, mustBeThere } from './fold-file.ts';

export interface FoldCache {
  /** The state of the file as it is now, up to what of it may be read. Faults: `not_found`, `io`. */
  fold(path: string, readable?: FoldOptions['readable']): Promise<FoldedFile>;
  /** A fold that is still right, without reading the file. */
  peek(path: string): FoldedFile | null;
  drop(path: string): void;
}

/** `maxBytes` of files; the newest fold is kept whatever its size. */
export const createFoldCache = (maxBytes: number, options: Pick<FoldOptions, 'lighten'> = {}): FoldCache => {
  /** In order of use, oldest first. */
  const folds = new Map<string, FoldedFile>();
  const running = new Map<string, Promise<FoldedFile>>();

  const keep = (path: string, fold: FoldedFile): FoldedFile => {
    folds.delete(path);
    folds.set(path, fold);
    let total = 0;
    for (const kept of folds.values()) total += kept.end;
    for (const [oldest, kept] of folds) {
      if (total <= maxBytes || oldest === path) break;
      folds.delete(oldest);
      total -= kept.end;
    }
    return fold;
  };
  const foldNow = async (path: string, readable: FoldOptions['readable']): Promise<FoldedFile> => {
    const known = folds.get(path);
    if (known !== undefined && sameKey(known.key, mustBeThere(path))) return keep(path, known);
    folds.delete(path);
    const from = known !== undefined && (await onlyGrew(path, known)) ? known : undefined;
    return keep(path, await foldFile(path, { ...options, from, readable }));
  };
  return {
    fold: (path, readable) => {
      // One fold per file at a time: two would go on from the same state.
      const next = (running.get(path) ?? Promise.resolve(null)).then(
        () => foldNow(path, readable),
        () => foldNow(path, readable),
      );
      running.set(path, next);
      const done = (): void => {
        if (running.get(path) === next) running.delete(path);
      };
      next.then(done, done);
      return next;
    },
    peek: (path) => {
      const known = folds.get(path);
      return known !== undefined && !running.has(path) && sameKey(known.key, mustBeThere(path))
        ? known
        : null;
    },
    drop: (path) => {
      folds.delete(path);
    },
  };
};

/** A writer may have taken a failed record back, or the user replaced the file: then the last line is not the same. */
const onlyGrew = async (path: string, known: FoldedFile): Promise<boolean> => {
  const now = mustBeThere(path);
  if (now.ino !== known.key.ino || now.size < known.end || known.last === null) return false;
  const { offset, sha256 } = known.last;
  return (await hashRange(path, offset, known.end - 1 - offset)) === sha256;
};
