/** A window of a session as values: its lines, the state they fold to, what streams, the blocks on the screen. */
import type { TranscriptBlock } from '@skein/core/document/blocks';
import { applyLiveAll, type LiveTurn, settleLive } from '@skein/core/document/live-turn';
import { transcriptOf, withLive } from '@skein/core/document/transcript';
import type { StrandEvent } from '@skein/core/protocol/events';
import type { TurnId } from '@skein/core/record/ids';
import { applyLine, replay, type StrandLine, type StrandState } from '@skein/core/strand/replay';
import type { LiveEvent } from '@skein/core/turn/agent-event';
import { lineOfItem } from './line-of-item.ts';

export interface Fold {
  readonly lines: readonly StrandLine[];
  /** Never used again after another line was applied to it. */
  readonly state: StrandState;
  readonly live: LiveTurn | null;
  readonly blocks: readonly TranscriptBlock[];
  /** Whether a turn runs now; the file alone cannot tell. */
  readonly running: boolean;
  /** Turns of the path that lie before the window. */
  readonly turnsBefore: number;
}

export interface FoldInput {
  readonly lines: readonly StrandLine[];
  /** The lines start at the header. */
  readonly whole: boolean;
  readonly running: boolean;
  /** Turns of the whole path, by the bridge. */
  readonly turnsOnPath: number;
  readonly previous: readonly TranscriptBlock[];
}

export function foldOf({ lines, whole, running, turnsOnPath, previous }: FoldInput): Fold {
  const state = replay(lines, { window: !whole });
  const turnsBefore = Math.max(0, turnsOnPath - turnsInWindow(state));
  return drawn({ lines, state, live: null, running, turnsBefore, blocks: previous });
}

export function prepend(fold: Fold, older: readonly StrandLine[], whole: boolean): Fold {
  const lines = [...older, ...fold.lines];
  const total = fold.turnsBefore + turnsInWindow(fold.state);
  const state = replay(lines, { window: !whole });
  return drawn({ ...fold, lines, state, turnsBefore: Math.max(0, total - turnsInWindow(state)) });
}

export function withRunning(fold: Fold, running: boolean): Fold {
  if (fold.running === running) return fold;
  return drawn({ ...fold, running, live: running ? fold.live : null });
}

/** Everything that arrived within a frame. `gap`: a record is missing, so a new window is needed. */
export function foldEvents(fold: Fold, events: readonly StrandEvent[]): Fold | 'gap' {
  let { state, live } = fold;
  const added: StrandLine[] = [];
  let deltas: { readonly turn: TurnId; readonly event: LiveEvent }[] = [];
  let streamed = false;
  const settleDeltas = () => {
    live = applyLiveAll(live, deltas);
    deltas = [];
  };
  for (const event of events) {
    if (event.type === 'live') {
      deltas.push(event);
      streamed = true;
      continue;
    }
    if (event.type !== 'record' || event.item.seq <= state.seq) continue;
    if (event.item.seq !== state.seq + 1) return 'gap';
    settleDeltas();
    const line = lineOfItem(event.item);
    state = applyLine(state, line);
    if (line.decoded.kind === 'ok') live = settleLive(live, line.decoded.record);
    added.push(line);
  }
  settleDeltas();
  if (added.length === 0 && !streamed) return fold;
  if (added.length === 0) return { ...fold, live, blocks: withLive(fold.blocks, live) };
  return drawn({ ...fold, lines: [...fold.lines, ...added], state, live });
}

/** The blocks anew; those that did not change stay the same objects. */
function drawn(fold: Fold): Fold {
  const { state, live, running, blocks, turnsBefore } = fold;
  const turnsOnPath = turnsBefore + turnsInWindow(state);
  const options = { previous: blocks, turnsOnPath, running: running || live !== null };
  return { ...fold, blocks: transcriptOf(state, live, options) };
}

function turnsInWindow(state: StrandState): number {
  return state.tip === null ? 0 : (state.nodes.get(state.tip)?.prompts ?? 0);
}
