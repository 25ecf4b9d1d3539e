/**
 * Builds strands for tests: deterministic ids (`r00000000001`, …) and times, parents by the real fold.
 * Every step returns the builder, so a session reads as one sentence.
 */
import type { OpId, RecordId, StrandId } from '../record/ids.ts';
import { encodeLine } from '../record/line.ts';
import type { Part, ToolResultPart } from '../record/parts.ts';
import type {
  FileChange,
  RecordBody,
  RecordOf,
  RestoreScope,
  StrandRecord,
  TurnOutcome,
  Usage,
} from '../record/schema.ts';
import { applyLine, emptyStrand, type StrandState } from '../strand/replay.ts';
import type { StrandLine } from '../strand/state.ts';

export interface StrandBuilder {
  prompt(text: string, more?: Partial<RecordOf<'message'>>): StrandBuilder;
  /** An assistant message; calls in it are open until `result`. */
  answer(text: string, more?: Partial<RecordOf<'message'>>): StrandBuilder;
  /** An assistant message with one call. */
  call(call: string, name?: string, input?: unknown): StrandBuilder;
  result(call: string, output?: string, status?: ToolResultPart['status']): StrandBuilder;
  /** A call and its result. */
  tool(name: string, input: unknown, output?: string): StrandBuilder;
  /** Settles the newest prompt's turn. `files` are paths changed through the gate. */
  turn(options?: { files?: readonly (string | FileChange)[]; outcome?: TurnOutcome }): StrandBuilder;
  /** Prompt, answer and turn in one. */
  exchange(prompt: string, answer: string, files?: readonly string[]): StrandBuilder;
  undo(options: {
    op: string;
    turns: readonly RecordId[];
    scope?: RestoreScope;
    to?: RecordId;
    files?: readonly string[];
  }): StrandBuilder;
  redo(options: {
    op: string;
    undo: string;
    scope?: RestoreScope;
    to?: RecordId;
    files?: readonly string[];
  }): StrandBuilder;
  tip(to: RecordId, reason?: RecordOf<'tip'>['reason']): StrandBuilder;
  add(body: RecordBody, envelope?: { id?: string; parent?: RecordId | null }): StrandBuilder;
  /** A line that is no record. */
  badLine(kind?: 'torn' | 'corrupt'): StrandBuilder;
  /** Id of the newest prompt, or of the n-th (1-based) in file order. */
  promptId(n?: number): RecordId;
  lastId(): RecordId;
  records(): readonly StrandRecord[];
  lines(): readonly StrandLine[];
  /** A fold of its own, that the test may go on with. */
  state(): StrandState;
}

export interface StrandOptions {
  id?: string;
  cwd?: string;
  agent?: string;
  origin?: RecordOf<'header'>['origin'];
}

export const aStrand = (options: StrandOptions = {}): StrandBuilder => {
  const lines: StrandLine[] = [];
  const records: StrandRecord[] = [];
  let state = emptyStrand();

  const push = (decoded: StrandLine['decoded']): StrandBuilder => {
    const line = { seq: lines.length + 1, decoded };
    lines.push(line);
    state = applyLine(state, line);
    return builder;
  };
  const add: StrandBuilder['add'] = (body, envelope = {}) => {
    const n = lines.length + 1;
    const id = (envelope.id ?? testId(n)) as RecordId;
    const parent = envelope.parent === undefined ? state.tip : envelope.parent;
    const record: StrandRecord = { id, parent, at: testTime(n), ...body };
    records.push(record);
    return push({ kind: 'ok', record });
  };
  const message = (
    role: 'user' | 'assistant' | 'tool',
    parts: Part[],
    more: Partial<RecordOf<'message'>> = {},
  ) => add({ kind: 'message', role, parts, ...(role === 'user' ? { by: 'user' as const } : {}), ...more });
  const prompts = () => [...state.nodes.values()].filter((node) => node.prompt === node.id);

  const builder: StrandBuilder = {
    prompt: (text, more) => message('user', [{ type: 'text', text }], more),
    answer: (text, more) =>
      message('assistant', [{ type: 'text', text }], {
        model: 'script/script',
        usage: testUsage(),
        cost: 0.25,
        stop: 'end',
        ...more,
      }),
    call: (call, name = 'read', input = {}) =>
      message('assistant', [{ type: 'tool_call', call, name, input }], {
        model: 'script/script',
        stop: 'tool',
      }),
    result: (call, output = 'done', status = 'ok') =>
      message('tool', [{ type: 'tool_result', call, status, output }], { by: 'bridge' }),
    tool: (name, input, output) => {
      const call = `call_${lines.length + 1}`;
      return builder.call(call, name, input).result(call, output);
    },
    turn: ({ files = [], outcome = 'done' } = {}) =>
      add({
        kind: 'turn',
        prompt: builder.promptId(),
        outcome,
        files: files.map((file) => (typeof file === 'string' ? aFileChange(file) : file)),
        coverage: { level: 'full', reasons: [] },
        durationMs: 1200,
      }),
    exchange: (prompt, answer, files = []) => builder.prompt(prompt).answer(answer).turn({ files }),
    undo: ({ op, turns, scope = 'both', to, files = [] }) =>
      add({
        kind: 'restore',
        op: op as OpId,
        undoes: { turns: [...turns] },
        direction: 'undo',
        scope,
        files: files.map((path) => ({ path, action: 'write', result: 'done' })),
        ...(to === undefined ? {} : { to }),
      }),
    redo: ({ op, undo, scope = 'both', to, files = [] }) =>
      add({
        kind: 'restore',
        op: op as OpId,
        undoes: { op: undo as OpId },
        direction: 'redo',
        scope,
        files: files.map((path) => ({ path, action: 'write', result: 'done' })),
        ...(to === undefined ? {} : { to }),
      }),
    tip: (to, reason = 'go') => add({ kind: 'tip', to, reason }),
    add,
    badLine: (kind = 'corrupt') => push({ kind, reason: kind === 'torn' ? 'ends early' : 'wrong checksum' }),
    promptId: (n) => {
      const found = n === undefined ? prompts().at(-1) : prompts()[n - 1];
      if (found === undefined) throw new Error('the strand under test has no such prompt');
      return found.id;
    },
    lastId: () => {
      const last = records.at(-1);
      if (last === undefined) throw new Error('the strand under test is empty');
      return last.id;
    },
    records: () => [...records],
    lines: () => [...lines],
    state: () => {
      let copy = emptyStrand();
      for (const line of lines) copy = applyLine(copy, line);
      return copy;
    },
  };
  return builder.add(aHeader(options), { parent: null });
};

/** `r` and a number: a valid record id, and easy to read in a failure. */
export const testId = (n: number): RecordId => `r${String(n).padStart(11, '0')}` as RecordId;

/** An operation id for a short word. */
export const testOp = (word: string): OpId => word.padEnd(12, '0').slice(0, 12) as OpId;

export const testTime = (n: number): string =>
  `2026-01-02T03:${String(Math.floor(n / 60) % 60).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}.000Z`;

export const testUsage = (): Usage => ({ input: 100, output: 20 });

export const aFileChange = (path: string, more: Partial<FileChange> = {}): FileChange => ({
  path,
  status: 'modified',
  added: 1,
  removed: 1,
  by: 'gate',
  ...more,
});

export const aHeader = ({
  id = 'a1b2c3d4e5f6',
  cwd = '/srv/project',
  agent = 'script',
  origin = null,
}: StrandOptions = {}) =>
  ({
    kind: 'header',
    format: 'skein',
    v: 1,
    strand: id as StrandId,
    cwd,
    versions: { skein: '0.1.0', node: '24.0.0', os: 'linux' },
    repo: { root: cwd, branch: 'main', head: '0123456789abcdef0123456789abcdef01234567', dirty: [] },
    agent,
    origin,
  }) satisfies RecordBody;

/** Records as the lines of a file that holds nothing else. */
export const linesOf = (records: readonly StrandRecord[]): StrandLine[] =>
  records.map((record, index) => ({ seq: index + 1, decoded: { kind: 'ok', record } }));

/** The bytes of such a file. */
export const bytesOf = (records: readonly StrandRecord[]): Uint8Array => {
  const parts = records.map(encodeLine);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};
