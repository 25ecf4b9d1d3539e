/** Readers of two made-up formats, for tests of everything around a reader: a line one and a document one. */
import { createHash } from 'node:crypto';
import type { Emitted, ForeignAgent, SessionReader } from '@skein/core/import/reader';
import { type RecordId, recordIdSchema, strandIdSchema } from '@skein/core/record/ids';
import type { StrandRecord } from '@skein/core/record/schema';

const AT = '2026-01-02T03:04:05.000Z';

interface State {
  tip: RecordId | null;
}

const hex = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
export const sessionId = (name: string) => strandIdSchema.parse(hex(`session ${name}`));

const header = (name: string, cwd: string): StrandRecord => ({
  id: recordIdSchema.parse(hex(`header ${name}`)),
  parent: null,
  at: AT,
  kind: 'header',
  format: 'skein',
  v: 1,
  strand: sessionId(name),
  cwd,
  versions: { skein: '', node: '', os: '' },
  repo: null,
  agent: 'pi',
  origin: null,
});

const readOne = (state: State, value: unknown, line: number): readonly Emitted[] => {
  if (typeof value !== 'object' || value === null) return [{ kind: 'bad', line, reason: 'no object' }];
  const one = value as { session?: string; cwd?: string; id?: string; role?: string; text?: string };
  if (one.session !== undefined) {
    const record = header(one.session, one.cwd ?? '');
    state.tip = record.id;
    return [{ kind: 'record', record, line }];
  }
  if (one.id === undefined) return [{ kind: 'unknown', line, type: Object.keys(value).join() }];
  const record: StrandRecord = {
    id: recordIdSchema.parse(hex(one.id)),
    parent: state.tip,
    at: AT,
    kind: 'message',
    role: one.role === 'assistant' ? 'assistant' : 'user',
    parts: [{ type: 'text', text: one.text ?? '' }],
    ...(one.role === 'assistant' ? { model: 'm1', usage: { input: 2, output: 1 }, cost: 0.5 } : {}),
  };
  state.tip = record.id;
  return [{ kind: 'record', record, line }];
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const reader = (agent: ForeignAgent, unit: 'line' | 'document'): SessionReader<State> => ({
  agent,
  version: 1,
  unit,
  accepts: (head) => head.includes('"session"'),
  start: () => ({ tip: null }),
  read(state, text, line) {
    const value = parsed(text);
    if (unit === 'line') return readOne(state, value, line);
    return Array.isArray(value)
      ? value.flatMap((one) => readOne(state, one, 1))
      : [{ kind: 'bad', line: 1, reason: 'no list' }];
  },
  end: () => [],
});

export const tinyReaders = new Map([
  ['pi', reader('pi', 'line')],
  ['gemini', reader('gemini', 'document')],
] as const);

export const headerLine = (name: string, cwd = '/srv'): string =>
  `${JSON.stringify({ session: name, cwd })}\n`;
export const messageLine = (id: string, text = id, role = 'user'): string =>
  `${JSON.stringify({ id, role, text })}\n`;
