import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordBody } from '../record/schema.ts';
import { aFileChange, aHeader, aStrand, linesOf, testId, testOp, testTime } from '../testing/a-strand.ts';
import { pathTo } from './path.ts';
import { applyLine, copyOfState, emptyStrand, replay } from './replay.ts';
import { settingsOf } from './settings.ts';
import { cursorOf, type StrandLine, unacceptedLines } from './state.ts';
import { turnsOf } from './turns.ts';

const texts = (strand: { state(): Parameters<typeof pathTo>[0] }) => {
  const state = strand.state();
  return pathTo(state, state.tip).flatMap((record) =>
    record.kind === 'message' ? record.parts.map((part) => ('text' in part ? part.text : part.type)) : [],
  );
};

test('the tip is the last record that can be one, and the path runs from the header to it', () => {
  const strand = aStrand().exchange('one', 'first').exchange('two', 'second');
  const state = strand.state();
  expect(texts(strand)).toEqual(['one', 'first', 'two', 'second']);
  expect(state.nodes.get(state.tip ?? testId(0))?.kind).toBe('message');
  expect(state.gaps).toEqual([]);
  expect(cursorOf(state)).toBe(`7:${testId(7)}`);
});

test('a tip record moves the tip back, and what follows grows from there', () => {
  const strand = aStrand().exchange('one', 'first').exchange('two', 'second');
  strand.tip(testId(3), 'offshoot').exchange('three', 'third');
  expect(texts(strand)).toEqual(['one', 'first', 'three', 'third']);
  expect(strand.state().gaps).toEqual([]);
});

test('a restore with a target moves the tip, one without leaves it', () => {
  const strand = aStrand().exchange('one', 'first').exchange('two', 'second', ['a.txt']);
  strand.undo({ op: testOp('a'), turns: [strand.promptId(2)], scope: 'files' });
  expect(texts(strand)).toHaveLength(4);
  strand.undo({ op: testOp('b'), turns: [strand.promptId(2)], to: testId(3) });
  expect(texts(strand)).toEqual(['one', 'first']);
});

test('a missing target moves nothing', () => {
  const strand = aStrand().exchange('one', 'first').tip(testId(999));
  expect(texts(strand)).toEqual(['one', 'first']);
});

test('a parent that is not earlier in the file reads as the folded tip, and a gap is marked', () => {
  const strand = aStrand().prompt('one');
  strand.add(
    { kind: 'message', role: 'assistant', parts: [{ type: 'text', text: 'first' }] },
    { parent: testId(77) },
  );
  strand.add(
    { kind: 'message', role: 'assistant', parts: [{ type: 'text', text: 'more' }] },
    { parent: testId(4) },
  );
  const state = strand.state();
  expect(texts(strand)).toEqual(['one', 'first', 'more']);
  expect(state.gaps.map((gap) => [gap.seq, gap.reason])).toEqual([
    [3, 'parent_missing'],
    [4, 'parent_missing'],
  ]);
});

test('an earlier parent that is not the tip is followed, and a gap is marked', () => {
  const strand = aStrand().exchange('one', 'first');
  strand.add(
    { kind: 'message', role: 'user', by: 'user', parts: [{ type: 'text', text: 'aside' }] },
    { parent: testId(2) },
  );
  expect(texts(strand)).toEqual(['one', 'aside']);
  expect(strand.state().gaps).toMatchObject([
    { reason: 'parent_not_tip', tip: testId(3), parent: testId(2) },
  ]);
});

test('a repeated id is a bad line and changes nothing', () => {
  const strand = aStrand().exchange('one', 'first');
  strand.add(
    { kind: 'message', role: 'assistant', parts: [{ type: 'text', text: 'twice' }] },
    { id: testId(3) },
  );
  expect(texts(strand)).toEqual(['one', 'first']);
  expect(strand.state().bad).toMatchObject([{ seq: 5, kind: 'duplicate', accepted: null }]);
});

test('a bad line in the middle hides nothing after it', () => {
  const strand = aStrand().exchange('one', 'first').badLine().exchange('two', 'second');
  const state = strand.state();
  expect(texts(strand)).toEqual(['one', 'first', 'two', 'second']);
  expect(state.bad).toMatchObject([{ seq: 5, kind: 'corrupt' }]);
  expect(unacceptedLines(state)).toHaveLength(1);
  expect(state.readOnly).toBeNull();
});

test('a sealed torn tail and a line the user accepted no longer stand in the way', () => {
  const strand = aStrand()
    .prompt('one')
    .badLine('torn')
    .add({ kind: 'recovery', torn: { bytes: 40 } })
    .badLine();
  expect(unacceptedLines(strand.state()).map(({ seq }) => seq)).toEqual([5]);
  const sha = 'a'.repeat(64);
  strand.add({ kind: 'recovery', line: 5, sha } as RecordBody);
  expect(strand.state().bad.map(({ accepted, sha: of }) => [accepted, of])).toEqual([
    ['sealed', null],
    ['user', sha],
  ]);
});

test('a record of an unknown kind is kept, never the tip, but may be a parent', () => {
  const lines: StrandLine[] = [...aStrand().prompt('one').lines()];
  const raw = { id: testId(3), parent: testId(2), at: testTime(3) };
  lines.push({ seq: 3, decoded: { kind: 'unknown', ...raw, recordKind: 'hologram', raw } });
  expect(replay(lines).tip).toBe(testId(2));
  const answer = {
    id: testId(4),
    parent: testId(3),
    at: testTime(4),
    kind: 'message',
    role: 'assistant',
    parts: [],
  } as const;
  lines.push({ seq: 4, decoded: { kind: 'ok', record: { ...answer, parts: [] } } });
  const state = replay(lines);
  expect(state.gaps).toEqual([]);
  expect(pathTo(state, state.tip).map(({ id }) => id)).toEqual([testId(1), testId(2), testId(4)]);
  expect([...state.unknownKinds]).toEqual([['hologram', 1]]);
});

test('a header of a newer version opens read-only', () => {
  const state = replay(linesOf([{ id: testId(1), parent: null, at: testTime(1), ...aHeader(), v: 2 }]));
  expect(state.readOnly).toContain('newer Skein');
  expect(state.unreadable).toBe(false);
});

test.each([
  ['torn', { kind: 'torn', reason: 'x' } as const],
  ['missing', aStrand().prompt('one').lines()[1]?.decoded ?? ({ kind: 'torn', reason: '' } as const)],
])('a %s header makes the file unreadable, but its records can still be seen', (_, decoded) => {
  const state = replay([
    { seq: 1, decoded },
    ...aStrand()
      .prompt('a')
      .prompt('b')
      .lines()
      .slice(2)
      .map((line) => ({ ...line, seq: 2 })),
  ]);
  expect(state.unreadable).toBe(true);
  expect(state.readOnly).not.toBeNull();
  expect(state.nodes.size).toBeGreaterThan(0);
});

test('a second header is a bad line', () => {
  const strand = aStrand().prompt('one').add(aHeader());
  expect(strand.state().bad).toMatchObject([{ seq: 3, kind: 'corrupt', reason: 'a second header' }]);
  expect(strand.state().tip).toBe(testId(2));
});

test('name and flags: the last in the file counts, whatever the path', () => {
  const strand = aStrand()
    .exchange('one', 'first')
    .add({ kind: 'name', name: 'alpha' })
    .add({ kind: 'flag', pinned: true });
  strand.tip(testId(1), 'rewind').add({ kind: 'name', name: 'beta' }).add({ kind: 'flag', archived: true });
  expect(strand.state()).toMatchObject({ name: 'beta', pinned: true, archived: true });
});

test('settings follow the path', () => {
  const strand = aStrand()
    .add({ kind: 'change', setting: 'model', value: 'a/small', by: 'user' })
    .exchange('one', 'first');
  const before = strand.state().tip ?? testId(0);
  strand
    .add({ kind: 'change', setting: 'model', value: 'a/big', by: 'user' })
    .add({ kind: 'change', setting: 'mode', value: 'plan', by: 'user' });
  expect(settingsOf(strand.state())).toEqual({ model: 'a/big', mode: 'plan' });
  expect(settingsOf(strand.tip(before).state())).toEqual({ model: 'a/small' });
});

test('usage and cost are added up over the whole file and per turn', () => {
  const strand = aStrand().exchange('one', 'first').exchange('two', 'second');
  strand.add({
    kind: 'usage',
    model: 'm',
    usage: { input: 7, output: 3, cacheRead: 2 },
    cost: 0.5,
    source: 'task',
  });
  const state = strand.state();
  expect(state.spend).toEqual({ usage: { input: 207, output: 43, cacheRead: 2 }, cost: 1 });
  expect(turnsOf(state).map(({ cost, usage }) => [cost, usage?.input])).toEqual([
    [0.25, 100],
    [0.75, 107],
  ]);
});

test('a prompt without a turn record is an open turn', () => {
  const strand = aStrand().exchange('one', 'first').prompt('two');
  expect(strand.state().openTurn).toBe(strand.promptId(2));
  expect(strand.turn().state().openTurn).toBeNull();
});

test('steers, notes from the bridge and tool results open no turn', () => {
  const strand = aStrand()
    .prompt('one')
    .prompt('and this', { steer: true })
    .prompt('hook says', { by: 'bridge' });
  strand.add({ kind: 'message', role: 'user', by: 'user', parts: [{ type: 'text', text: '  \n' }] });
  strand.add({
    kind: 'message',
    role: 'user',
    by: 'user',
    parts: [
      { type: 'tool_result', call: 'c', status: 'ok', output: 'x' },
      { type: 'text', text: 'y' },
    ],
  });
  expect(strand.state().openTurn).toBe(testId(2));
  strand.add({
    kind: 'message',
    role: 'user',
    by: 'guest',
    parts: [{ type: 'image', mime: 'image/png', data: 'AA==' }],
  });
  expect(strand.state().openTurn).toBe(testId(7));
});

test('in a window missing parents and targets lie before it and are no gaps', () => {
  const all = aStrand().exchange('one', 'first').exchange('two', 'second').exchange('three', 'third').lines();
  const state = replay(all.slice(5), { window: true });
  expect(state).toMatchObject({ gaps: [], readOnly: null, unreadable: false, header: null });
  expect(pathTo(state, state.tip)).toHaveLength(3);
  expect(turnsOf(state).map(({ prompt }) => prompt)).toEqual(['three']);
});

test('an undo marks its turn undone, its redo takes that back, and neither counts twice', () => {
  const strand = aStrand().exchange('one', 'first', ['a.txt']).exchange('two', 'second', ['b.txt']);
  const two = strand.promptId(2);
  strand.undo({ op: testOp('u1'), turns: [two], scope: 'files', files: ['b.txt'] });
  expect([...strand.state().undone.keys()]).toEqual([two]);
  strand.undo({ op: testOp('u1'), turns: [two], scope: 'files', files: ['b.txt'] });
  expect(strand.state().restores).toHaveLength(1);
  strand.redo({ op: testOp('r1'), undo: testOp('u1'), scope: 'files', files: ['b.txt'] });
  expect(strand.state().undone.size).toBe(0);
  expect(strand.state().restores[0]?.left).toBeNull();
});

// Any bodies in any order with any parents: what a file edited by hand or by two writers may hold.
const anyId = fc.integer({ min: 1, max: 30 }).map(testId);
const anyBody: fc.Arbitrary<RecordBody> = fc.oneof(
  fc.record({ by: fc.constantFrom('user', 'bridge'), text: fc.string() }).map(
    ({ by, text }): RecordBody => ({
      kind: 'message',
      role: 'user',
      by: by as 'user',
      parts: [{ type: 'text', text }],
    }),
  ),
  fc.constant<RecordBody>({
    kind: 'message',
    role: 'assistant',
    parts: [],
    usage: { input: 1, output: 1 },
    cost: 1,
  }),
  anyId.map((to): RecordBody => ({ kind: 'tip', to, reason: 'go' })),
  fc.tuple(anyId, anyId, anyId).map(
    ([turn, to, op]): RecordBody => ({
      kind: 'restore',
      op: op as never,
      undoes: { turns: [turn] },
      direction: 'undo',
      scope: 'both',
      files: [],
      to,
    }),
  ),
  fc.tuple(anyId, anyId).map(
    ([op, undo]): RecordBody => ({
      kind: 'restore',
      op: op as never,
      undoes: { op: undo as never },
      direction: 'redo',
      scope: 'files',
      files: [],
    }),
  ),
  anyId.map(
    (prompt): RecordBody => ({
      kind: 'turn',
      prompt,
      outcome: 'done',
      files: [aFileChange('a')],
      coverage: { level: 'full', reasons: [] },
    }),
  ),
  fc.integer({ min: 1, max: 30 }).map((line): RecordBody => ({ kind: 'recovery', line })),
  fc.string().map((name): RecordBody => ({ kind: 'name', name })),
  fc.constant<RecordBody>({ kind: 'boundary' }),
);
const anyLine = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(anyId, fc.option(anyId), anyBody).map(([id, parent, body]) => ({
      kind: 'ok' as const,
      record: { id, parent, at: testTime(1), ...body },
    })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'corrupt' as const, reason: 'x' }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyId, fc.option(anyId))
      .map(([id, parent]) => ({ kind: 'unknown' as const, id, parent, at: '', recordKind: 'new', raw: {} })),
  },
);

test('folding a file at once and line by line is the same, for any lines, and no path runs in a circle', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 40 }), fc.boolean(), (decoded, window) => {
      const lines = [...(window ? [] : aStrand().lines()), ...decoded.map((line) => ({ decoded: line }))].map(
        (line, index) => ({ decoded: line.decoded, seq: index + 1 }),
      );
      let state = emptyStrand({ window });
      for (const line of lines) state = applyLine(state, line);
      expect(state).toEqual(replay(lines, { window }));
      for (const id of state.nodes.keys()) expect(pathTo(state, id).length).toBeLessThanOrEqual(lines.length);
      expect(state.nodes.size + state.bad.length).toBe(lines.length);
      turnsOf(state);
    }),
    { numRuns: 300 },
  );
});

test('a copy of a state stays what it is while the other is folded on', () => {
  const lines = aStrand().exchange('one', 'first').exchange('two', 'second').lines();
  for (let cut = 0; cut <= lines.length; cut += 1) {
    const state = replay(lines.slice(0, cut));
    const copy = copyOfState(state);
    expect(copy).toEqual(state);
    expect(lines.slice(cut).reduce(applyLine, state)).toEqual(replay(lines));
    expect(copy).toEqual(replay(lines.slice(0, cut)));
  }
});
