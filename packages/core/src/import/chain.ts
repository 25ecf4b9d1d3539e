/**
 * Records in a row, as a strand would hold them: each on top of the tip, the tip moved by a record of its own where a
 * session goes on from somewhere else, and a turn settled when the next one begins. A chain is plain data.
 */
import type { RecordId, StrandId, TurnId } from '../record/ids.ts';
import {
  type FileChange,
  type RecordBody,
  STRAND_FORMAT_VERSION,
  type StrandRecord,
  TIP_KINDS,
  type TurnOutcome,
} from '../record/schema.ts';
import { recordIdOf, strandIdOf } from './ids.ts';
import type { Emitted, ForeignAgent, SessionFacts } from './reader.ts';
import { isoOf, NO_TIME } from './times.ts';

export interface Chain {
  readonly agent: ForeignAgent;
  readonly strand: StrandId;
  header: { readonly at: string; readonly cwd: string; readonly branch: string | null } | null;
  startedBy: StrandId | null;
  tip: RecordId | null;
  /** Of the last record that had a time. */
  at: string;
  turn: OpenTurn | null;
  told: Partial<SessionFacts>;
  /** What was emitted since `take`. */
  out: Emitted[];
}

export interface OpenTurn {
  readonly prompt: TurnId;
  readonly startedAt: string;
  /** Null: it ended well, as far as is known. */
  outcome: TurnOutcome | null;
  error: string | null;
  durationMs: number | null;
  readonly files: Map<string, FileChange>;
}

export interface Place {
  /** The tool's own id, or what stands for one: the record's id is derived from it. */
  readonly key: string;
  readonly at: unknown;
  readonly line: number;
}

export const startChain = (agent: ForeignAgent, path: string): Chain => ({
  agent,
  strand: strandIdOf(agent, path),
  header: null,
  startedBy: null,
  tip: null,
  at: NO_TIME,
  turn: null,
  told: {},
  out: [],
});

/** What was emitted since the last call. */
export const take = (chain: Chain): readonly Emitted[] => {
  const { out } = chain;
  chain.out = [];
  return out;
};

/** Emits facts that were not told before, or were told otherwise. */
export const tellFacts = (chain: Chain, facts: Partial<SessionFacts>): void => {
  const told: Readonly<Record<string, unknown>> = chain.told;
  const news = Object.entries(facts).filter(([key, value]) => value !== null && told[key] !== value);
  if (news.length === 0) return;
  const fresh: Partial<SessionFacts> = Object.fromEntries(news);
  chain.told = { ...chain.told, ...fresh };
  chain.out.push({ kind: 'facts', facts: fresh });
};

/** A record that was emitted before, said anew: it stays where it stood. */
export const pushAgain = (
  chain: Chain,
  place: Place & { readonly on: RecordId | null },
  body: RecordBody,
): RecordId => {
  const { tip } = chain;
  chain.tip = place.on;
  const id = push(chain, place, body);
  chain.tip = tip;
  return id;
};

/** Emits the header, or emits it anew once the folder is known. */
export const putHeader = (
  chain: Chain,
  told: {
    readonly at: unknown;
    readonly cwd: string | null;
    readonly branch?: string | null | undefined;
    /** The session that started this one as its sub-agent. */
    readonly startedBy?: StrandId | null | undefined;
    readonly line: number;
  },
): void => {
  const { header } = chain;
  if (header !== null && (header.cwd !== '' || told.cwd === null)) return;
  const at = header?.at ?? isoOf(told.at) ?? NO_TIME;
  const cwd = told.cwd ?? '';
  chain.startedBy = told.startedBy ?? chain.startedBy;
  chain.header = { at, cwd, branch: told.branch ?? header?.branch ?? null };
  const id = recordIdOf(chain.agent, `header/${chain.strand}`);
  const record: StrandRecord = {
    id,
    parent: null,
    at,
    kind: 'header',
    format: 'skein',
    v: STRAND_FORMAT_VERSION,
    strand: chain.strand,
    cwd,
    versions: { skein: '', node: '', os: '' },
    repo: null,
    agent: chain.agent,
    origin: chain.startedBy === null ? null : { strand: chain.startedBy, record: null, via: 'subagent' },
  };
  chain.out.push({ kind: 'record', record, line: told.line });
  if (header !== null) return;
  chain.tip = id;
  if (chain.at === NO_TIME) chain.at = at;
};

/** Puts a record on the tip. */
export const push = (chain: Chain, place: Place, body: RecordBody): RecordId => {
  putHeader(chain, { at: place.at, cwd: null, line: place.line });
  const at = isoOf(place.at);
  if (at !== null) chain.at = at;
  const id = recordIdOf(chain.agent, place.key);
  const record: StrandRecord = { id, parent: chain.tip, at: at ?? chain.at, ...body };
  chain.out.push({ kind: 'record', record, line: place.line });
  if (TIP_KINDS.has(body.kind)) chain.tip = id;
  return id;
};

/** The next record goes on top of `to`. */
export const moveTip = (chain: Chain, to: RecordId | null, line: number): void => {
  if (to === null || to === chain.tip) return;
  const key = `tip/${chain.strand}/${line}/${chain.out.length}/${to}`;
  push(chain, { key, at: null, line }, { kind: 'tip', to, reason: 'offshoot' });
  chain.tip = to;
};

/** Puts a prompt and opens its turn; the turn before it is settled. */
export const pushPrompt = (
  chain: Chain,
  place: Place,
  body: Extract<RecordBody, { kind: 'message' }>,
): RecordId => {
  closeTurn(chain, place.line);
  const prompt = push(chain, place, body);
  chain.turn = {
    prompt,
    startedAt: chain.at,
    outcome: null,
    error: null,
    durationMs: null,
    files: new Map(),
  };
  return prompt;
};

export const closeTurn = (chain: Chain, line: number): void => {
  const { turn } = chain;
  if (turn === null) return;
  chain.turn = null;
  const took = Date.parse(chain.at) - Date.parse(turn.startedAt);
  const durationMs = turn.durationMs ?? took;
  const { outcome, error } = turn;
  push(
    chain,
    { key: `turn/${turn.prompt}`, at: null, line },
    {
      kind: 'turn',
      prompt: turn.prompt,
      outcome: outcome ?? 'done',
      ...(error === null ? {} : { error: { code: 'agent', message: error } }),
      files: [...turn.files.values()],
      coverage: { level: 'none', reasons: [] },
      ...(durationMs > 0 ? { durationMs } : {}),
    },
  );
};

/** What can be said of a turn from a later one of its records. */
export const markTurn = (chain: Chain, outcome: TurnOutcome | null, error: string | null = null): void => {
  if (chain.turn === null) return;
  chain.turn.outcome = outcome;
  chain.turn.error = error;
};

/** A copy on which `end` may write: what it emits is taken back when the file grows. */
export const forkChain = (chain: Chain): Chain => ({
  ...chain,
  out: [],
  turn: chain.turn === null ? null : { ...chain.turn, files: new Map(chain.turn.files) },
});
