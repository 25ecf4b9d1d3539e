/** Which of the paths of a turn or an operation a restore acts on. */
import { type PathRef, pathKey } from '../record/path-ref.ts';
import type { PathEffect } from './effects.ts';

export interface Selection {
  readonly effects: readonly PathEffect[];
  /** Changed meanwhile by nobody that is known, and not asked for by name. */
  readonly unattributed: readonly PathRef[];
  /** Asked for, but not among the effects. */
  readonly unknown: readonly PathRef[];
}

/** A folder that is asked for stands for everything below it. Without `paths`: all but what is unattributed. */
export const selectEffects = (
  effects: readonly PathEffect[],
  paths: readonly PathRef[] | undefined,
): Selection => {
  const isAsked = (effect: PathEffect): boolean =>
    paths?.some((path) => isAtOrBelow(effect.path, path)) === true;
  const chosen = effects.filter((effect) =>
    paths === undefined ? effect.by !== 'unattributed' : isAsked(effect),
  );
  return {
    effects: chosen,
    unattributed: effects
      .filter((effect) => effect.by === 'unattributed' && !isAsked(effect))
      .map(({ path }) => path),
    unknown: (paths ?? []).filter((path) => !effects.some((effect) => isAtOrBelow(effect.path, path))),
  };
};

export const isAtOrBelow = (path: PathRef, above: PathRef): boolean => {
  if (pathKey(path) === pathKey(above)) return true;
  return (
    typeof path === 'string' && typeof above === 'string' && path.startsWith(`${above.replace(/\/$/, '')}/`)
  );
};
