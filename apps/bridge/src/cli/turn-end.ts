/** How the end of a turn becomes an exit code and, when it did not go well, an error. */
import { type ErrorShape, errorCodeSchema, exitCodeOf } from '@skein/core/protocol/errors';
import type { RecordOf } from '@skein/core/record/schema';
import type { Denial } from './follow-turn.ts';

export interface TurnEnd {
  readonly code: number;
  readonly error: ErrorShape | null;
}

export const turnEnd = (
  end: Pick<RecordOf<'turn'>, 'outcome' | 'error'>,
  denied: readonly Denial[],
): TurnEnd => {
  const error = errorOf(end, denied);
  return { code: error === null ? 0 : exitCodeOf(error.code), error };
};

const errorOf = (
  { outcome, error }: Pick<RecordOf<'turn'>, 'outcome' | 'error'>,
  denied: readonly Denial[],
): ErrorShape | null => {
  switch (outcome) {
    case 'done':
      return denied.length === 0 ? null : denialOf(denied);
    case 'aborted':
    case 'interrupted':
      return {
        code: 'interrupted',
        message: error?.message ?? 'The turn was interrupted; what it did is kept.',
        data: {},
      };
    case 'limit':
      return { code: 'limit', message: error?.message ?? 'The turn reached a limit.', data: {} };
    case 'failed':
      return failed(error, denied);
  }
};

const failed = (error: RecordOf<'turn'>['error'], denied: readonly Denial[]): ErrorShape => {
  if (error === undefined && denied.length > 0) return denialOf(denied);
  const code = errorCodeSchema.safeParse(error?.code);
  return {
    code: code.success ? code.data : 'internal',
    message: error?.message ?? 'The turn failed.',
    data: {},
  };
};

/** Nobody was there to ask: a permission is needed. A rule, a mode or a person said no: it was denied. */
const denialOf = (denied: readonly Denial[]): ErrorShape => {
  const tools = [...new Set(denied.map(({ tool }) => tool))];
  const isNeeded = denied.some(({ by }) => by === 'mode');
  const message = isNeeded
    ? `${tools.join(', ')} needed a permission and was denied; use --mode edits or auto, or add a rule.`
    : `${tools.join(', ')} was denied.`;
  return { code: isNeeded ? 'permission_needed' : 'permission_denied', message, data: { tools } };
};
