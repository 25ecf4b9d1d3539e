import type { StrandId, TurnId } from '@skein/core/record/ids';
import { useStrandFeed } from '../../state/hooks.ts';
import { useStore } from '../../state/store.ts';

/** The number of a turn on the path, as the transcript shows it; null when that is not known here. */
export function useTurnNumbers(strand: StrandId): (turn: TurnId) => number | null {
  const { blocks } = useStore(useStrandFeed(strand).view);
  return (turn) => {
    const block = blocks.find((candidate) => candidate.kind === 'turn' && candidate.turn === turn);
    return block?.kind === 'turn' ? block.number : null;
  };
}
