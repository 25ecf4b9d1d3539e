/** What is remembered while a file of Claude Code is read. Plain data. */
import type { RecordId } from '../../record/ids.ts';
import type { Usage } from '../../record/schema.ts';
import { type Chain, moveTip, type OpenTurn, startChain } from '../chain.ts';
import { strandIdOf } from '../ids.ts';

/** A run of records, each on top of the one before: the conversation, a branch of it, or a sub-agent's. */
export interface Thread {
  readonly isSide: boolean;
  leaf: RecordId | null;
  turn: OpenTurn | null;
  /** Prompts so far. */
  turns: number;
}

/** Where a line of the file stands among the records: lines that are no records stand where their parent does. */
export interface Spot {
  readonly record: RecordId | null;
  readonly thread: number;
  readonly turn: number;
}

export interface ClaudeState {
  readonly chain: Chain;
  /** The file is a sub-agent's own: its lines are the conversation. */
  readonly isSub: boolean;
  /** The file of the session that started this one. */
  readonly parentPath: string | null;
  readonly spots: Map<string, Spot>;
  readonly threads: Thread[];
  thread: number;
  /** The last one that is no sub-agent's. */
  main: number;
  readonly usage: Map<string, Usage>;
  compacting: { readonly trigger: 'auto' | 'user'; readonly tokensBefore: number | null } | null;
  /** Titles by the id of a line that was not seen yet: most belong to other files. */
  readonly summaries: Map<string, string>;
  lastSummary: string | null;
  titleRank: number;
}

const SUB_AGENT = /[/\\]subagents[/\\][^/\\]+\.jsonl$/;

export const startClaude = (path: string): ClaudeState => ({
  chain: startChain('claude-code', path),
  isSub: SUB_AGENT.test(path) || /(^|[/\\])agent-[^/\\]+\.jsonl$/.test(path),
  parentPath: SUB_AGENT.test(path) ? path.replace(SUB_AGENT, '.jsonl') : null,
  spots: new Map(),
  threads: [{ isSide: false, leaf: null, turn: null, turns: 0 }],
  thread: 0,
  main: 0,
  usage: new Map(),
  compacting: null,
  summaries: new Map(),
  lastSummary: null,
  titleRank: 0,
});

/** The strand of the session that started this one. */
export const parentStrand = ({ parentPath }: ClaudeState) =>
  parentPath === null ? null : strandIdOf('claude-code', parentPath);

/** The next record belongs to this thread. */
export const enter = (state: ClaudeState, thread: number, line: number): void => {
  const { chain, threads } = state;
  const [from, to] = [threads[state.thread], threads[thread]];
  if (from === undefined || to === undefined || from === to) return;
  from.turn = chain.turn;
  from.leaf = chain.tip;
  chain.turn = to.turn;
  moveTip(chain, to.leaf, line);
  state.thread = thread;
  if (!to.isSide) state.main = thread;
};

export const openThread = (state: ClaudeState, leaf: RecordId | null, isSide: boolean): number =>
  state.threads.push({ isSide, leaf, turn: null, turns: 0 }) - 1;
