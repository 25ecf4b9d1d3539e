/**
 * What a transcript is made of, as plain data: the page, the export and the share viewer draw the same
 * blocks. A block that did not change keeps its identity from one call to the next, so that a list of
 * thousands of turns redraws only the one that runs.
 */
import type { OpId, RecordId, TurnId } from '../record/ids.ts';
import type { Content, Spill } from '../record/parts.ts';
import type { PathRef } from '../record/path-ref.ts';
import type { FileChange, RestoreScope, TurnOutcome, Usage } from '../record/schema.ts';
import type { LivePart } from './live-turn.ts';

export type TranscriptBlock = TurnBlock | LinesBlock;

/** Where a turn stands: in the conversation, taken back by an undo, or left behind by a move of the tip. */
export type TurnStanding = 'path' | 'undone' | 'offshoot';

export interface TurnBlock {
  readonly kind: 'turn';
  /** The prompt's id; `start` for the rest of a turn whose prompt lies before the window. */
  readonly id: string;
  readonly turn: TurnId | null;
  /** 1-based on the path; null when it is not known. */
  readonly number: number | null;
  readonly seq: number;
  readonly at: string;
  readonly prompt: PromptView | null;
  readonly items: readonly TurnItem[];
  readonly standing: TurnStanding;
  readonly undo: UndoneBy | null;
  /** Null while it runs, and for turns that were never settled (imports). */
  readonly outcome: TurnOutcome | null;
  readonly running: boolean;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly files: readonly FileChange[];
  /** Sums over the files with known counts. */
  readonly added: number;
  readonly removed: number;
  /** Sentences on what an undo of this turn cannot bring back; empty when everything is covered. */
  readonly notices: readonly string[];
  readonly check: { readonly command: string; readonly passed: boolean } | null;
  readonly model: string | null;
  readonly durationMs: number | null;
  readonly usage: Usage | null;
  /** US dollars. */
  readonly cost: number;
  readonly live: LiveView | null;
  /** What the block was made from; equal sources mean an equal block. */
  readonly sources: readonly unknown[];
}

export interface UndoneBy {
  readonly op: OpId;
  readonly scope: RestoreScope;
  readonly at: string;
  /** True when its files are taken back now. */
  readonly files: boolean;
}

export interface PromptView {
  readonly text: readonly Content[];
  readonly images: readonly ImageView[];
  readonly mentions: readonly PathRef[];
  /** What the bridge told the model with this prompt: files restored since the last one. */
  readonly notes: readonly NoteView[];
  readonly by: 'user' | 'bridge' | 'script' | 'guest';
}

export interface ImageView {
  readonly mime: string;
  readonly data: Content;
  readonly name: string | null;
}

export interface NoteView {
  readonly text: Content;
  readonly files: readonly PathRef[];
}

export type TurnItem =
  | TextItem
  | ThinkingItem
  | ToolItem
  | ReadsItem
  | SteerItem
  | NoteItem
  | ErrorItem
  | LineItem;

export interface TextItem {
  readonly kind: 'text';
  readonly key: string;
  readonly text: Content;
}

export interface ThinkingItem {
  readonly kind: 'thinking';
  readonly key: string;
  readonly text: Content;
}

export type ToolStatus = 'pending' | 'ok' | 'error' | 'denied' | 'interrupted';

export interface ToolItem {
  readonly kind: 'tool';
  readonly key: string;
  readonly call: string;
  readonly name: string;
  /** `read`, `run`, `edit`, …: one word. */
  readonly verb: string;
  /** The path, command or pattern, on one line. */
  readonly target: string;
  readonly input: unknown;
  readonly inputSpill: Spill | null;
  readonly status: ToolStatus;
  readonly output: Content | null;
  readonly durationMs: number | null;
  readonly exitCode: number | null;
  readonly decision: DecisionView | null;
  /** What it writes, when the input says so. */
  readonly edit: ToolEdit | null;
}

export interface DecisionView {
  readonly allowed: boolean;
  readonly by: 'rule' | 'hook' | 'user' | 'mode';
  readonly rule: string | null;
  readonly reason: string | null;
}

export interface ToolEdit {
  readonly path: string;
  /** Null before: the whole file is written. */
  readonly changes: readonly { readonly before: string | null; readonly after: string }[];
}

/** Two or more reads in a row, folded into one line. */
export interface ReadsItem {
  readonly kind: 'reads';
  readonly key: string;
  readonly calls: readonly ToolItem[];
}

export interface SteerItem {
  readonly kind: 'steer';
  readonly key: string;
  readonly at: string;
  readonly text: readonly Content[];
}

export interface NoteItem extends NoteView {
  readonly kind: 'note';
  readonly key: string;
}

export interface ErrorItem {
  readonly kind: 'error';
  readonly key: string;
  readonly message: string;
}

/** A record that is one line: a change of settings, an undo, a gap, a bad line, a newer record. */
export interface LineItem {
  readonly kind: 'line';
  readonly key: string;
  readonly seq: number;
  readonly at: string | null;
  readonly tone: LineTone;
  readonly text: string;
  /** Shown when unfolded: a summary, the paths of an undo. */
  readonly detail: string | null;
}

export type LineTone = 'setting' | 'restore' | 'context' | 'newer' | 'warning' | 'move' | 'origin';

/** Lines between two turns. */
export interface LinesBlock {
  readonly kind: 'lines';
  readonly id: string;
  readonly seq: number;
  readonly lines: readonly LineItem[];
  readonly sources: readonly unknown[];
}

/** The part of a running turn that is not in the file yet. */
export interface LiveView {
  readonly model: string | null;
  /** Text, thinking and calls of this step, in the order they began; calls that are recorded are left out. */
  readonly parts: readonly LivePart[];
  /** Output so far of calls that are recorded and run now, by call id. */
  readonly outputs: ReadonlyMap<string, string>;
  readonly retry: { readonly attempt: number; readonly delayMs: number; readonly message: string } | null;
}

export const turnIdOf = (block: TranscriptBlock): RecordId | null =>
  block.kind === 'turn' ? block.turn : null;
