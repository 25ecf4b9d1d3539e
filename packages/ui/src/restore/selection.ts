/** What a person chose of a restore's preview: files, hunks, and an answer for each conflict. */
import type { ConflictChoice, RestoreRequest, RestoreResult } from '@skein/core/protocol/restore';
import { type PathRef, pathKey } from '@skein/core/record/path-ref';

export interface Selection {
  /** Path keys and hunk ids that were taken out. */
  readonly without: ReadonlySet<string>;
  /** Path keys of unattributed files that were taken in. */
  readonly withThese: ReadonlySet<string>;
  readonly choices: ReadonlyMap<string, ConflictChoice>;
}

export const EVERYTHING: Selection = { without: new Set(), withThese: new Set(), choices: new Map() };

type File = RestoreResult['files'][number];

export type Checked = 'all' | 'some' | 'none';

export const checkedOf = ({ without }: Selection, file: File): Checked => {
  if (file.hunks.length === 0) return without.has(pathKey(file.path)) ? 'none' : 'all';
  const left = file.hunks.filter(({ id }) => !without.has(id)).length;
  return left === file.hunks.length ? 'all' : left === 0 ? 'none' : 'some';
};

export const withFile = (selection: Selection, file: File, isChosen: boolean): Selection => {
  const keys = file.hunks.length === 0 ? [pathKey(file.path)] : file.hunks.map(({ id }) => id);
  return { ...selection, without: toggled(selection.without, keys, !isChosen) };
};

export const withHunk = (selection: Selection, id: string, isChosen: boolean): Selection => ({
  ...selection,
  without: toggled(selection.without, [id], !isChosen),
});

export const withUnattributed = (selection: Selection, path: PathRef, isChosen: boolean): Selection => ({
  ...selection,
  withThese: toggled(selection.withThese, [pathKey(path)], isChosen),
});

export const withChoice = (selection: Selection, path: PathRef, choice: ConflictChoice): Selection => ({
  ...selection,
  choices: new Map([...selection.choices, [pathKey(path), choice]]),
});

export const isPart = ({ without, withThese }: Selection): boolean => without.size + withThese.size > 0;

/** Null when nothing at all is chosen. A part of a restore is about files only. */
export const chosenRequest = (
  request: RestoreRequest,
  preview: RestoreResult,
  selection: Selection,
): RestoreRequest | null => {
  const { paths: _paths, hunks: _hunks, choices: _choices, ...plain } = request;
  const choices = preview.conflicts.flatMap(({ path }) => {
    const choice = selection.choices.get(pathKey(path));
    return choice === undefined ? [] : [{ path, choice }];
  });
  const whole: RestoreRequest = choices.length === 0 ? plain : { ...plain, choices };
  if (!isPart(selection)) return whole;
  const changing = preview.files.filter(({ action }) => action !== 'nothing');
  const some = changing.filter((file) => checkedOf(selection, file) === 'some');
  const paths = [
    ...changing.filter((file) => checkedOf(selection, file) === 'all'),
    ...preview.conflicts,
    ...preview.unattributed
      .filter((path) => selection.withThese.has(pathKey(path)))
      .map((path) => ({ path })),
  ].map(({ path }) => path);
  const hunks = some
    .flatMap((file) => file.hunks.map(({ id }) => id))
    .filter((id) => !selection.without.has(id));
  if (paths.length + hunks.length === 0) return null;
  return {
    ...whole,
    scope: 'files',
    ...(paths.length === 0 ? {} : { paths }),
    ...(hunks.length === 0 ? {} : { hunks }),
  };
};

function toggled(set: ReadonlySet<string>, keys: readonly string[], isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  for (const key of keys) {
    if (isIn) next.add(key);
    else next.delete(key);
  }
  return next;
}
