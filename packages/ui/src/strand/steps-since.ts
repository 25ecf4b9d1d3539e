/** What was added at the end since the reader left it. Earlier turns that load above are not new. */
import type { TranscriptBlock } from '@skein/core/document/blocks';

/** The last block of a moment, and how many steps it had. */
export interface End {
  readonly id: string;
  readonly steps: number;
}

export const endOf = (blocks: readonly TranscriptBlock[]): End | null => {
  const last = blocks.at(-1);
  return last === undefined ? null : { id: last.id, steps: stepsOf(last) };
};

/** New turns, and new steps in them and in the turn that was last. */
export const stepsSince = (blocks: readonly TranscriptBlock[], end: End): number => {
  const index = blocks.findLastIndex((block) => block.id === end.id);
  const then = blocks[index];
  if (then === undefined) return 0;
  const added = blocks.slice(index + 1).reduce((sum, block) => sum + 1 + stepsOf(block), 0);
  return added + Math.max(0, stepsOf(then) - end.steps);
};

function stepsOf(block: TranscriptBlock): number {
  return block.kind === 'turn' ? block.items.length : 0;
}
