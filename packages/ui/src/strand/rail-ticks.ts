/** The ticks of the timeline rail: one a turn, or one a few turns where there are more turns than pixels. */
import type { TranscriptBlock, TurnBlock } from '@skein/core/document/blocks';

export interface RailTick {
  /** From 0 to 1. */
  readonly at: number;
  /** In a rail of 20. */
  readonly length: number;
  readonly tone: 'quiet' | 'changed' | 'failed' | 'live' | 'undone';
}

export const railTicks = (blocks: readonly TranscriptBlock[], max: number): readonly RailTick[] => {
  const buckets = Math.min(max, blocks.length);
  const ticks: RailTick[] = [];
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const from = Math.floor((bucket * blocks.length) / buckets);
    const to = Math.max(from + 1, Math.floor(((bucket + 1) * blocks.length) / buckets));
    const turns = blocks.slice(from, to).filter((block) => block.kind === 'turn');
    if (turns.length > 0) ticks.push({ at: from / blocks.length, ...tickOf(turns) });
  }
  return ticks;
};

function tickOf(turns: readonly TurnBlock[]): Pick<RailTick, 'length' | 'tone'> {
  const files = Math.max(...turns.map((turn) => turn.files.length));
  const length = files === 0 ? 4 : Math.min(12, 5 + 2 * Math.log2(files + 1));
  return { length, tone: toneOf(turns, files) };
}

function toneOf(turns: readonly TurnBlock[], files: number): RailTick['tone'] {
  if (turns.some((turn) => turn.running)) return 'live';
  if (turns.some((turn) => turn.outcome === 'failed' || turn.check?.passed === false)) return 'failed';
  if (turns.every((turn) => turn.undo !== null || turn.standing !== 'path')) return 'undone';
  return files > 0 ? 'changed' : 'quiet';
}
