/** What programs beside Skein may read of a session: whether undo and redo are possible now, and what the last one was. */
import type { ActionState } from '../protocol/restore.ts';
import type { StrandId } from '../record/ids.ts';
import type { StrandState } from '../strand/state.ts';

/** The JSON of `runtime/<scope>/sessions/<sha256 of the id>.json`. Members are only ever added. */
export interface RuntimeActions {
  readonly schema: 2;
  readonly strand: StrandId;
  readonly actions: readonly {
    readonly id: 'undo' | 'redo';
    readonly enabled: boolean;
    /** One sentence; null when enabled. */
    readonly reason: string | null;
  }[];
  readonly tip: string | null;
  /** Lines of the session's file; grows with everything that happens in it. */
  readonly revision: number;
  /** The newest undo, redo or restore; `token` is its operation. Null before the first. */
  readonly result: {
    readonly id: 'undo' | 'redo' | 'restore';
    readonly applied: boolean;
    readonly token: string;
  } | null;
}

export const runtimeActionsOf = (
  strand: StrandId,
  state: Pick<StrandState, 'tip' | 'seq' | 'restores'>,
  { undo, redo }: ActionState,
): RuntimeActions => {
  const last = state.restores.at(-1)?.record;
  return {
    schema: 2,
    strand,
    actions: [
      { id: 'undo', enabled: undo.enabled, reason: undo.reason },
      { id: 'redo', enabled: redo.enabled, reason: redo.reason },
    ],
    tip: state.tip,
    revision: state.seq,
    result: last === undefined ? null : { id: last.direction, applied: true, token: last.op },
  };
};

/** Equal for two states that a reader would act upon alike: a turn at work moves the tip all the time. */
export const sameActions = (a: RuntimeActions, b: RuntimeActions): boolean => keyOf(a) === keyOf(b);

function keyOf({ actions, tip, result }: RuntimeActions): string {
  const isFree = actions.some(({ enabled }) => enabled);
  return JSON.stringify([actions, result, isFree ? tip : null]);
}
