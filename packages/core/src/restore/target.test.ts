import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actionStateSchema } from '../protocol/restore.ts';
import type { StrandId } from '../record/ids.ts';
import { turnsOf } from '../strand/turns.ts';
import { aFileChange, aStrand, type StrandBuilder, testId, testOp } from '../testing/a-strand.ts';
import { actionStateOf } from './action-state.ts';
import { mustFindRestore } from './requested.ts';
import { redoTarget, undoTarget } from './target.ts';

/** Turn 1 with files at lines 2-4, turn 2 with files at 5-7, turn 3 only words at 8-10. */
const three = () =>
  aStrand().exchange('one', 'ok', ['a']).exchange('two', 'ok', ['b']).exchange('three', 'ok');
const undo = (strand: StrandBuilder, op: string, scope: 'both' | 'chat' | 'files' = 'both') => {
  const target = undoTarget(strand.state(), { scope });
  if (target.kind === 'none') throw new Error(target.reason);
  return strand.undo({
    op: testOp(op),
    turns: target.turns,
    scope: target.scope,
    files: target.scope === 'chat' ? [] : ['f'],
    ...(target.to === null ? {} : { to: target.to }),
  });
};
const redo = (strand: StrandBuilder, op: string, undone?: string) => {
  const target = redoTarget(strand.state(), undone === undefined ? {} : { op: testOp(undone) });
  if (target.kind === 'none') throw new Error(target.reason);
  return strand.redo({
    op: testOp(op),
    undo: target.op,
    scope: target.scope,
    ...(target.to === null ? {} : { to: target.to }),
  });
};

test('both and chat act on the newest turn, and give its text back', () => {
  const strand = three();
  for (const scope of ['both', 'chat'] as const) {
    expect(undoTarget(strand.state(), { scope })).toEqual({
      kind: 'target',
      turns: [strand.promptId(3)],
      scope,
      to: testId(6),
      draft: 'three',
    });
  }
});

test('files acts on the newest turn that changed files which are not undone', () => {
  const strand = three();
  expect(undoTarget(strand.state(), { scope: 'files' })).toMatchObject({
    turns: [strand.promptId(2)],
    to: null,
    draft: null,
  });
  undo(strand, 'u1', 'files');
  expect(undoTarget(strand.state(), { scope: 'files' })).toMatchObject({ turns: [strand.promptId(1)] });
  undo(strand, 'u2', 'files');
  expect(undoTarget(strand.state(), { scope: 'files' })).toEqual({ kind: 'none', reason: 'no_files' });
});

test('a turn whose changes are all unattributed is not undone by itself', () => {
  const strand = aStrand()
    .prompt('one')
    .turn({ files: [aFileChange('x', { by: 'unattributed' })] });
  expect(undoTarget(strand.state(), { scope: 'files' })).toEqual({ kind: 'none', reason: 'no_files' });
});

test('both after files leaves only the conversation to undo', () => {
  const strand = undo(three().tip(testId(6)), 'u1', 'files');
  expect(undoTarget(strand.state(), { scope: 'both' })).toMatchObject({
    turns: [strand.promptId(2)],
    scope: 'chat',
  });
});

test('an older turn can be named, for its files only', () => {
  const strand = three();
  const turn = strand.promptId(1);
  expect(undoTarget(strand.state(), { scope: 'both', turn })).toMatchObject({
    turns: [turn],
    scope: 'files',
    to: null,
  });
  expect(undoTarget(strand.state(), { scope: 'both', turn: testId(3) })).toMatchObject({
    reason: 'unknown_turn',
  });
  expect(undoTarget(strand.state(), { scope: 'both', turn: strand.promptId(3) })).toMatchObject({
    reason: 'no_files',
  });
});

test('nothing is undone or redone while a turn is open', () => {
  const strand = undo(three(), 'u1').prompt('four');
  expect(undoTarget(strand.state(), { scope: 'both' })).toMatchObject({ reason: 'turn_open' });
  expect(redoTarget(strand.state())).toMatchObject({ reason: 'turn_open' });
});

test('redo takes the undos back one by one, newest first, and never a redo', () => {
  const strand = three();
  const tips = [strand.state().tip];
  for (const op of ['u3', 'u2', 'u1']) tips.push(undo(strand, op).state().tip);
  expect(undoTarget(strand.state(), { scope: 'both' })).toEqual({ kind: 'none', reason: 'no_turns' });
  for (const op of ['r1', 'r2', 'r3']) {
    expect(strand.state().tip).toBe(tips.pop());
    redo(strand, op);
  }
  expect(strand.state().tip).toBe(tips.pop());
  expect(redoTarget(strand.state())).toEqual({ kind: 'none', reason: 'nothing' });
  expect(turnsOf(strand.state()).map(({ undone }) => undone)).toEqual([false, false, false]);
});

test('undo, redo and undo again work on the same turn', () => {
  const strand = redo(undo(three(), 'u1'), 'r1');
  expect(undoTarget(undo(strand, 'u2').state(), { scope: 'both' })).toMatchObject({
    turns: [strand.promptId(2)],
  });
  expect(redoTarget(strand.state())).toMatchObject({ op: testOp('u2'), to: testId(9) });
});

test('after a new prompt redo is gone, but a named operation brings its files back, and only these', () => {
  const strand = undo(three().tip(testId(6)), 'u1').exchange('other', 'ok');
  expect(redoTarget(strand.state())).toEqual({ kind: 'none', reason: 'moved_on' });
  expect(redoTarget(strand.state(), { op: testOp('u1') })).toMatchObject({
    scope: 'files',
    to: null,
    turns: [strand.promptId(2)],
  });
  redo(strand, 'r1', 'u1');
  expect(strand.state().undone.size).toBe(0);
  expect(redoTarget(strand.state(), { op: testOp('u1') })).toMatchObject({ reason: 'already_redone' });
  expect(redoTarget(strand.state(), { op: testOp('r1') })).toMatchObject({ reason: 'unknown_op' });
});

test('an undo of the conversation alone cannot be redone once it went on', () => {
  const strand = undo(three(), 'u1', 'chat').exchange('other', 'ok');
  expect(redoTarget(strand.state(), { op: testOp('u1') })).toMatchObject({ reason: 'moved_on' });
});

test('a redo of a part leaves the rest of the undo to be redone', () => {
  const chatFirst = undo(three(), 'u1');
  chatFirst.redo({ op: testOp('r1'), undo: testOp('u1'), scope: 'chat', to: testId(9) });
  expect(redoTarget(chatFirst.state())).toMatchObject({ kind: 'target', scope: 'files', to: null });
  const filesFirst = undo(three(), 'u1');
  filesFirst.redo({ op: testOp('r1'), undo: testOp('u1'), scope: 'files' });
  expect(redoTarget(filesFirst.state())).toMatchObject({ kind: 'target', scope: 'chat', to: testId(9) });
  redo(filesFirst, 'r2');
  expect(redoTarget(filesFirst.state())).toEqual({ kind: 'none', reason: 'nothing' });
});

test('a redo asked for what the undo does not hold does nothing', () => {
  const ask = { direction: 'redo', strand: 's' as StrandId } as const;
  const files = undo(three(), 'u1', 'files').state();
  const chat = undo(three(), 'u1', 'chat').state();
  for (const [state, scope] of [
    [files, 'chat'],
    [chat, 'files'],
  ] as const)
    expect(() => mustFindRestore(state, { ...ask, scope })).toThrow(
      expect.objectContaining({ code: 'nothing_to_redo' }),
    );
  expect(mustFindRestore(files, { ...ask, scope: 'both' })).toMatchObject({ scope: 'files', to: null });
});

test('redo of files survives a change of settings, not a new prompt', () => {
  const strand = undo(three(), 'u1', 'files').add({
    kind: 'change',
    setting: 'model',
    value: 'x',
    by: 'user',
  });
  expect(redoTarget(strand.state())).toMatchObject({ kind: 'target', scope: 'files', to: null });
  expect(redoTarget(strand.exchange('more', 'ok').state())).toMatchObject({ reason: 'moved_on' });
});

test('in a fork the files of copied turns cannot be undone, their conversation can', () => {
  const origin = { strand: 'ffffffffffff' as StrandId, record: testId(4), via: 'split' as const };
  const strand = aStrand({ origin }).exchange('copied', 'ok', ['a']);
  expect(undoTarget(strand.state(), { scope: 'both' })).toMatchObject({ reason: 'inherited' });
  expect(undoTarget(strand.state(), { scope: 'files' })).toMatchObject({ reason: 'inherited' });
  expect(undoTarget(strand.state(), { scope: 'chat' })).toMatchObject({ kind: 'target', to: testId(1) });
  expect(undoTarget(strand.exchange('mine', 'ok', ['b']).state(), { scope: 'both' })).toMatchObject({
    kind: 'target',
  });
});

test('the buttons say what they would do, or why they cannot', () => {
  const idle = { turnOpen: false, restoring: false };
  const strand = undo(three(), 'u1');
  const actions = actionStateOf(strand.state(), idle);
  expect(actionStateSchema.parse(actions)).toEqual(actions);
  expect(actions).toEqual({
    undo: { enabled: true, reason: null, turn: strand.promptId(2) },
    redo: { enabled: true, reason: null, op: testOp('u1') },
  });
  for (const busy of [
    { ...idle, turnOpen: true },
    { ...idle, restoring: true },
  ]) {
    expect(actionStateOf(strand.state(), busy)).toMatchObject({
      undo: { enabled: false },
      redo: { enabled: false },
    });
  }
  expect(actionStateOf(aStrand().state(), idle)).toMatchObject({
    undo: { enabled: false, turn: null },
    redo: { enabled: false, op: null },
  });
});

test('for any operations the redo list is what a stack would hold, and the undone turns are right', () => {
  const operation = fc.constantFrom('turn', 'undo', 'undo', 'chat', 'files', 'redo', 'redo');
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
      const strand = aStrand();
      // The model: undos not yet redone, newest last, and for each turn whether its files are undone.
      const stack: { op: string; tip: unknown; turns: readonly string[]; files: boolean }[] = [];
      const undone = new Set<string>();
      operations.forEach((name, index) => {
        const op = `o${index}x`;
        if (name === 'turn') {
          strand.exchange(`p${index}`, 'ok', [`f${index}`]);
        } else if (name === 'redo') {
          const target = redoTarget(strand.state());
          if (target.kind === 'none') return;
          const top = stack.pop();
          expect(target.op).toBe(testOp(top?.op ?? ''));
          redo(strand, op);
          expect(strand.state().tip).toBe(top?.tip);
          if (top?.files === true) for (const turn of top.turns) undone.delete(turn);
        } else {
          const scope = name === 'undo' ? 'both' : (name as 'chat' | 'files');
          const target = undoTarget(strand.state(), { scope });
          if (target.kind === 'none') return;
          const files = target.scope !== 'chat';
          stack.push({ op, tip: strand.state().tip, turns: target.turns, files });
          undo(strand, op, scope);
          if (files) for (const turn of target.turns) undone.add(turn);
        }
        const state = strand.state();
        expect(new Set(state.undone.keys())).toEqual(undone);
        expect(
          state.restores
            .filter(({ record, left }) => record.direction === 'undo' && left !== null)
            .map(({ record }) => record.op),
        ).toEqual(stack.map((item) => testOp(item.op)));
        expect(state.gaps).toEqual([]);
      });
    }),
    { numRuns: 150 },
  );
});
