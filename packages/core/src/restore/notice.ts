/** What a preview says beside its files. */
import type { RestoreResult } from '../protocol/restore.ts';
import type { TurnId } from '../record/ids.ts';
import type { StrandState } from '../strand/state.ts';

/** One sentence when these turns were not fully covered, else null. */
export const coverageNotice = (state: StrandState, turns: readonly TurnId[]): string | null => {
  const reasons = turns.flatMap((turn) => {
    const coverage = state.turnRecords.get(turn)?.coverage;
    return coverage === undefined || coverage.level === 'full' ? [] : coverage.reasons;
  });
  return reasons.length === 0 ? null : `Not everything is covered: ${reasons.join(' ')}`;
};

export const withNotice = (result: RestoreResult, notice: string | null): RestoreResult =>
  notice === null || result.scope === 'chat' ? result : { ...result, notice };
