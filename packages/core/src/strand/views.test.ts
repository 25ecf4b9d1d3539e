import { expect, test } from 'vitest';
import { strandSummarySchema, turnSummarySchema } from '../protocol/strands.ts';
import type { StrandId } from '../record/ids.ts';
import { aStrand, testId, testOp } from '../testing/a-strand.ts';
import { lintStrand } from './lint.ts';
import { pendingNote } from './note.ts';
import { summaryOf } from './summary.ts';
import { childrenOf, offshootsOf } from './tree.ts';
import { turnsOf } from './turns.ts';

const ID = 'a1b2c3d4e5f6' as StrandId;

test('a summary fits its schema and counts the path', () => {
  const strand = aStrand().add({ kind: 'change', setting: 'model', value: 'a/b', by: 'user' });
  strand.exchange('first line\nsecond', 'ok', ['a.txt']).exchange('two', 'ok').tip(testId(4));
  const summary = summaryOf(strand.state(), { id: ID });
  expect(strandSummarySchema.parse(summary)).toEqual(summary);
  expect(summary).toMatchObject({
    title: 'first line',
    turns: 1,
    messages: 2,
    model: 'a/b',
    changed: true,
    state: 'idle',
  });
});

test('a title is cut to 80 characters at a whole character, on one line', () => {
  const { title } = summaryOf(
    aStrand()
      .prompt(`\t世界 ${'😀'.repeat(200)}`)
      .state(),
    { id: ID },
  );
  expect([...title]).toHaveLength(80);
  expect(title.isWellFormed()).toBe(true);
  expect(title.endsWith('😀…')).toBe(true);
});

test.each([
  ['idle', aStrand(), null],
  ['interrupted', aStrand().prompt('x'), null],
  ['running', aStrand().prompt('x'), 'running'],
  ['waiting', aStrand().prompt('x'), 'waiting'],
  ['failed', aStrand().prompt('x').turn({ outcome: 'failed' }), null],
  ['idle', aStrand().prompt('x').turn({ outcome: 'aborted' }), null],
] as const)('a strand is %s', (word, strand, live) => {
  expect(summaryOf(strand.state(), { id: ID, live }).state).toBe(word);
});

test('the summary of an undone turn shows no changed files', () => {
  const strand = aStrand().exchange('one', 'ok', ['a.txt']);
  strand.undo({ op: testOp('u'), turns: [testId(2)], scope: 'files', files: ['a.txt'] });
  expect(summaryOf(strand.state(), { id: ID }).changed).toBe(false);
});

test('turns are numbered on the path and fit their schema', () => {
  const strand = aStrand()
    .exchange('one', 'ok', ['a.txt'])
    .exchange('two', 'ok')
    .tip(testId(3))
    .exchange('three', 'ok')
    .prompt('four');
  const turns = turnsOf(strand.state());
  for (const turn of turns) expect(turnSummarySchema.parse(turn)).toEqual(turn);
  expect(turns.map(({ number, prompt, outcome }) => [number, prompt, outcome])).toEqual([
    [1, 'one', 'done'],
    [2, 'three', 'done'],
    [3, 'four', null],
  ]);
});

test('the tree shows each path that was left behind, once, and from where', () => {
  const strand = aStrand().exchange('one', 'ok').exchange('two', 'ok').exchange('three', 'ok');
  strand.tip(testId(3)).exchange('four', 'ok').tip(testId(1), 'rewind').exchange('five', 'ok');
  expect(offshootsOf(strand.state()).map(({ from, first, turns }) => [from, first, turns])).toEqual([
    [testId(1), testId(2), 3],
    [testId(1), testId(2), 2],
  ]);
  expect(childrenOf(strand.state()).get(testId(3))).toHaveLength(2);
});

test('a note names the files that restores changed since the last prompt, and is sent once', () => {
  const strand = aStrand().exchange('one', 'ok').exchange('two', 'ok', ['b.txt']);
  expect(pendingNote(strand.state())).toBeNull();
  strand.undo({ op: testOp('u'), turns: [strand.promptId(2)], to: testId(3), files: ['b.txt', 'c.txt'] });
  const note = pendingNote(strand.state());
  expect(note).toMatchObject({ type: 'note', files: ['b.txt', 'c.txt'] });
  expect(note?.text).toContain('b.txt');
  expect(pendingNote(strand.prompt('three').state())).toBeNull();
});

test('a restore that changed no file, or only the conversation, makes no note', () => {
  const strand = aStrand().exchange('one', 'ok', ['a.txt']);
  strand.undo({ op: testOp('u'), turns: [testId(2)], scope: 'chat', to: testId(1) });
  strand.add({
    kind: 'restore',
    op: testOp('v'),
    undoes: { turns: [testId(2)] },
    direction: 'undo',
    scope: 'files',
    files: [
      { path: 'a', action: 'nothing', result: 'already' },
      { path: 'b', action: 'write', result: 'left' },
    ],
  });
  expect(pendingNote(strand.state())).toBeNull();
});

test('a fork names the files its source would have named, until its own first prompt', () => {
  const origin = {
    strand: 'ffffffffffff' as StrandId,
    record: testId(3),
    via: 'split' as const,
    restored: ['x.txt'],
  };
  const strand = aStrand({ origin }).exchange('one', 'copied');
  expect(pendingNote(strand.state())?.files).toEqual(['x.txt']);
  expect(pendingNote(strand.prompt('mine').state())).toBeNull();
});

test('lint finds nothing in a sound strand', () => {
  const strand = aStrand()
    .prompt('one')
    .tool('read', {})
    .answer('ok')
    .turn()
    .tip(testId(1))
    .exchange('two', 'ok');
  expect(lintStrand(strand.lines())).toEqual({ ok: true, records: strand.lines().length, problems: [] });
});

test('lint names the line of every problem', () => {
  const strand = aStrand().prompt('one').call('c1').badLine().turn();
  strand
    .add({ kind: 'boundary' }, { parent: testId(98) })
    .tip(testId(99))
    .add({ kind: 'boundary' }, { id: testId(2) })
    .prompt('open');
  const { ok, problems } = lintStrand(strand.lines());
  expect(ok).toBe(false);
  expect(problems.map(({ line, problem }) => `${line}: ${problem}`)).toEqual([
    '3: call c1 has no result',
    '4: corrupt line: wrong checksum',
    `6: parent ${testId(98)} is not an earlier record`,
    `7: moves the tip to ${testId(99)}, which is not an earlier record`,
    `8: duplicate line: the id ${testId(2)} was used before`,
    '9: the turn of this prompt was never settled',
  ]);
});

test('lint does not mind a turn that runs', () => {
  const strand = aStrand().exchange('one', 'ok').prompt('two').call('c1');
  expect(lintStrand(strand.lines(), { turnRunning: true }).ok).toBe(true);
  expect(lintStrand([]).problems).toEqual([{ line: 0, problem: 'the file is empty' }]);
});
