import { expect, test } from 'vitest';
import type { OpId, RecordId, Sha256 } from '../record/ids.ts';
import { testId, testOp, testTime } from '../testing/a-strand.ts';
import { fileChangesOf, operationEffects, turnEffects } from './effects.ts';
import type { FileState } from './file-state.ts';
import { type JournalEntry, journalEntrySchema, type MutationEntry } from './journal-entry.ts';

const file = (content: string, mode = 0o644): FileState => ({
  type: 'file',
  sha256: content.padEnd(64, '0') as Sha256,
  bytes: 1,
  mode,
});
const absent: FileState = { type: 'absent' };
const T1 = testId(2);
const T2 = testId(5);
let n = 0;
const mutation = (
  turn: RecordId,
  path: string,
  [pre, post]: [FileState, FileState],
  more: Partial<MutationEntry> = {},
): JournalEntry => {
  n += 1;
  return {
    id: testId(n),
    at: testTime(n),
    kind: 'mutation',
    turn,
    call: `c${n}`,
    path,
    pre,
    post,
    madeDirs: [],
    temp: null,
    by: 'gate',
    ...more,
  };
};
const intent = (
  op: OpId,
  steps: { path: string; ours: FileState; result: FileState; madeDirs?: string[] }[],
): JournalEntry => ({
  id: testId(90),
  at: testTime(9),
  kind: 'intent',
  op,
  direction: 'undo',
  scope: 'both',
  undoes: { turns: [T1] },
  to: null,
  steps: steps.map((step) => ({ action: 'write', madeDirs: [], dropDirs: [], temp: null, ...step })),
});
const settled = (op: OpId, outcome: 'done' | 'abandoned', left: string[] = []): JournalEntry => ({
  id: testId(91),
  at: testTime(9),
  kind: 'settled',
  op,
  outcome,
  left,
});

test('a turn returns to what its first write found and left what its last write made', () => {
  const entries = [
    mutation(T1, 'a', [file('a'), file('b')]),
    mutation(T1, 'b', [absent, file('e')]),
    mutation(T1, 'a', [file('b'), file('c')], { by: 'shell' }),
    mutation(T2, 'a', [file('c'), file('d')]),
  ];
  expect(turnEffects(entries, T1)).toMatchObject([
    { path: 'a', theirs: file('a'), base: file('c'), by: 'shell' },
    { path: 'b', theirs: absent, base: file('e'), by: 'gate' },
  ]);
  expect(turnEffects(entries, [T1, T2])[0]).toMatchObject({ theirs: file('a'), base: file('d') });
  for (const entry of entries) expect(journalEntrySchema.parse(entry)).toEqual(entry);
});

test('each file knows every folder above it that the turn made, outermost first', () => {
  const entries = [
    mutation(T1, 'a/b/x', [absent, file('e')], { madeDirs: ['a', 'a/b'] }),
    mutation(T1, 'a/y', [absent, file('f')]),
    mutation(T1, 'ab', [absent, file('0')]),
  ];
  expect(turnEffects(entries, T1).map(({ madeDirs }) => madeDirs)).toEqual([['a', 'a/b'], ['a'], []]);
});

test('an operation returns to what it found and left its results, but for paths that recovery left alone', () => {
  const op = testOp('u');
  const entries = [
    intent(op, [
      { path: 'a', ours: file('b'), result: file('a') },
      { path: 'z', ours: file('f'), result: file('e') },
    ]),
    settled(op, 'done', ['z']),
  ];
  expect(operationEffects(entries, op)).toEqual([
    { path: 'a', theirs: file('b'), base: file('a'), madeDirs: [], by: 'gate' },
  ]);
  expect(operationEffects([...entries.slice(0, 1), settled(op, 'abandoned')], op)).toEqual([]);
  expect(operationEffects([], op)).toEqual([]);
});

test.each([
  ['added', absent, file('b')],
  ['deleted', file('a'), absent],
  ['modified', file('a'), file('b')],
  ['mode', file('a'), file('a', 0o755)],
  ['type', file('a'), { type: 'link', target: 'x' }],
] as const)('a change is told as %s', (status, pre, post) => {
  expect(fileChangesOf(turnEffects([mutation(T1, 'a', [pre, post])], T1))).toEqual([
    { path: 'a', status, added: null, removed: null, by: 'gate' },
  ]);
});

test('a path that ends as it began is no change', () => {
  const entries = [mutation(T1, 'a', [file('a'), file('b')]), mutation(T1, 'a', [file('b'), file('a')])];
  expect(fileChangesOf(turnEffects(entries, T1))).toEqual([]);
});

test('line counts come from the caller', () => {
  const effects = turnEffects([mutation(T1, 'a', [file('a'), file('b')])], T1);
  expect(fileChangesOf(effects, () => ({ added: 3, removed: 2 }))).toMatchObject([{ added: 3, removed: 2 }]);
});
