/**
 * What a reader of another agent's session files is: raw text in, records of strands out, step by step,
 * so that a file of any size is read in bounded memory and a growing one is read on from where it was left.
 *
 * A reader never throws on what it reads. What it cannot use it reports: `bad` for text that is not what
 * the format says, `unknown` for a kind that a newer version of the tool may have added.
 */
import type { StrandRecord } from '../record/schema.ts';

export type ForeignAgent =
  | 'claude-code'
  | 'codex'
  | 'gemini'
  | 'opencode'
  | 'pi'
  | 'omp'
  | 'copilot'
  | 'skein';

/** What is known of a session beside its records; `null` where the files do not say. */
export interface SessionFacts {
  /** The tool's own id of the session. Several files may carry the same one. */
  readonly session: string | null;
  readonly cwd: string | null;
  readonly title: string | null;
  /** ISO 8601 UTC with milliseconds. */
  readonly startedAt: string | null;
  readonly updatedAt: string | null;
  readonly branch: string | null;
  /** Version of the tool that wrote the file, the last one seen. */
  readonly version: string | null;
  /** The session that started this one as a sub-agent, and the tool call that did, in the tool's own ids. */
  readonly parent: { readonly session: string; readonly call: string | null } | null;
  /** The session this one was forked or resumed from, in the tool's own id. */
  readonly forkOf: string | null;
}

export type Emitted =
  /**
   * A record as a strand would hold it (no `sum`). Its id is derived from the tool's ids alone, so that a
   * copy, a fork or a later stage of the file gives the same id. An id that was emitted before replaces
   * that record whole. `line` is 1-based; 1 for a document.
   */
  | { readonly kind: 'record'; readonly record: StrandRecord; readonly line: number }
  /** Later values win; members that are absent stay as they were. */
  | { readonly kind: 'facts'; readonly facts: Partial<SessionFacts> }
  | { readonly kind: 'bad'; readonly line: number; readonly reason: string }
  | { readonly kind: 'unknown'; readonly line: number; readonly type: string };

export interface SessionReader<State> {
  readonly agent: ForeignAgent;
  /** Raised whenever the same bytes give other records: what was read before is read again. */
  readonly version: number;
  /** `line`: `read` is called once a line, without its `\n`. `document`: once, with the whole file. */
  readonly unit: 'line' | 'document';
  /** Whether a file is of this format, by its first characters (64 Ki at most) and its path. */
  accepts(head: string, path: string): boolean;
  start(origin: { readonly path: string }): State;
  /** `state` is plain data that survives structured clone; it is changed in place. */
  read(state: State, text: string, line: number): readonly Emitted[];
  /** True when a last line without its `\n` belongs to what was read, as the end of a document does; absent: never. */
  takesRest?(state: State): boolean;
  /** What holds if nothing follows; reading on afterwards from the same state is allowed and replaces it. */
  end(state: State): readonly Emitted[];
}

/** A reader whose state nobody else looks into. */
export type AnyReader = SessionReader<unknown>;
