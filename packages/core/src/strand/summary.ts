/** One row of the sidebar and of `skein strands`, from the fold and the little that only the bridge knows. */
import type { StrandSummary } from '../protocol/strands.ts';
import type { StrandId } from '../record/ids.ts';
import { settingsOf, settingText } from './settings.ts';
import type { StrandState } from './state.ts';
import { titleOf } from './title.ts';

export interface SummaryOptions {
  /** From the file's name: a file without a header has an id as well. */
  readonly id: StrandId;
  /** Whether a turn runs now; the file alone cannot tell a running turn from one that a crash cut off. */
  readonly live?: 'running' | 'waiting' | null | undefined;
  /** Time stamp of the file, for one that has no whole record. */
  readonly fileAt?: string | undefined;
}

/** Costs the same whatever the length of the strand: the fold has counted already. */
export const summaryOf = (state: StrandState, { id, live, fileAt = '' }: SummaryOptions): StrandSummary => {
  const settings = settingsOf(state);
  const tip = state.tip === null ? undefined : state.nodes.get(state.tip);
  return {
    id,
    name: state.name,
    title: titleOf(state),
    cwd: state.header?.cwd ?? '',
    agent: state.header?.agent ?? '',
    model: settingText(settings, 'model'),
    mode: settingText(settings, 'mode'),
    turns: tip?.prompts ?? 0,
    messages: tip?.messages ?? 0,
    cost: state.spend.cost,
    createdAt: state.header?.at ?? fileAt,
    updatedAt: state.lastAt ?? fileAt,
    state: stateWord(state, live ?? null),
    archived: state.archived,
    pinned: state.pinned,
    changed: newestTurnChanged(state),
    bad: state.bad.length,
    readOnly: state.readOnly,
  };
};

function stateWord(state: StrandState, live: 'running' | 'waiting' | null): StrandSummary['state'] {
  if (state.unreadable) return 'unreadable';
  if (live !== null) return live;
  if (state.openTurn !== null) return 'interrupted';
  const newest = newestTurn(state);
  if (newest?.outcome === 'failed' || newest?.outcome === 'interrupted') return newest.outcome;
  return 'idle';
}

/** Files that the newest turn of the path changed and that no undo took back. */
function newestTurnChanged(state: StrandState): boolean {
  const newest = newestTurn(state);
  return newest !== undefined && newest.files.length > 0 && !state.undone.has(newest.prompt);
}

function newestTurn(state: StrandState) {
  const prompt = state.tip === null ? null : state.nodes.get(state.tip)?.prompt;
  return prompt === null || prompt === undefined ? undefined : state.turnRecords.get(prompt);
}
