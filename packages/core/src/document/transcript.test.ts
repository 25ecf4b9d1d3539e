import { expect, test } from 'vitest';
import type { RecordId } from '../record/ids.ts';
import { applyLine, emptyStrand, replay } from '../strand/replay.ts';
import type { StrandBuilder } from '../testing/a-strand.ts';
import { aFileChange, aStrand, testId, testOp } from '../testing/a-strand.ts';
import type { TranscriptBlock, TurnBlock } from './blocks.ts';
import { applyLive } from './live-turn.ts';
import { transcriptOf, withLive } from './transcript.ts';

const blocksOf = (strand: StrandBuilder) => transcriptOf(strand.state(), null);
const turnsIn = (blocks: readonly TranscriptBlock[]) =>
  blocks.filter((block): block is TurnBlock => block.kind === 'turn');
const shape = (blocks: readonly TranscriptBlock[]) =>
  blocks.map((block) =>
    block.kind === 'lines'
      ? block.lines.map((line) => line.tone).join()
      : `${block.prompt?.text.join() ?? '…'}: ${block.items.map((item) => item.kind).join()}`,
  );

test('a turn is one block: prompt, answer, calls with their results, what it changed', () => {
  const strand = aStrand()
    .prompt('fix it')
    .tool('edit', { path: 'a.ts', old: 'x', new: 'y' }, 'edited')
    .answer('Done.')
    .turn({ files: [aFileChange('a.ts', { added: 4, removed: 2 }), aFileChange('b.bin', { added: null })] });
  const [block] = turnsIn(blocksOf(strand));
  expect(block).toMatchObject({
    number: 1,
    outcome: 'done',
    standing: 'path',
    added: 4,
    removed: 3,
    cost: 0.25,
    model: 'script/script',
    notices: [],
  });
  expect(block?.items).toMatchObject([
    { kind: 'tool', verb: 'edit', target: 'a.ts', status: 'ok', output: 'edited' },
    { kind: 'text', text: 'Done.' },
  ]);
});

test('reads in a row fold into one; a single read and a failed one stay alone', () => {
  const strand = aStrand()
    .prompt('look')
    .tool('read', { path: 'a' })
    .tool('Read', { file_path: 'b' })
    .tool('bash', { command: 'ls' })
    .tool('read', { path: 'c' })
    .call('x', 'read', { path: 'd' })
    .result('x', 'no such file', 'error');
  expect(turnsIn(blocksOf(strand))[0]?.items.map((item) => item.kind)).toEqual([
    'reads',
    'tool',
    'tool',
    'tool',
  ]);
});

test('a result without its call, and a call without its result, are both shown', () => {
  const strand = aStrand()
    .prompt('go')
    .result('lost', 'out of nowhere')
    .call('open', 'bash', { command: 'sleep 9' });
  expect(turnsIn(blocksOf(strand))[0]?.items).toMatchObject([
    { kind: 'tool', name: 'result', output: 'out of nowhere' },
    { kind: 'tool', verb: 'run', status: 'pending' },
  ]);
});

test('a decision joins its call; a steer and a failed step stand where they happened', () => {
  const strand = aStrand()
    .prompt('go')
    .call('c', 'bash', { command: 'rm -r x' })
    .add({ kind: 'decision', call: 'c', tool: 'bash', allowed: false, by: 'user', reason: 'not now' })
    .result('c', 'denied', 'denied')
    .prompt('use trash instead', { steer: true })
    .answer('', { parts: [], stop: 'error', error: 'The model is overloaded.' });
  expect(turnsIn(blocksOf(strand))[0]?.items).toMatchObject([
    { kind: 'tool', status: 'denied', decision: { allowed: false, by: 'user', reason: 'not now' } },
    { kind: 'steer', text: ['use trash instead'] },
    { kind: 'error', message: 'The model is overloaded.' },
  ]);
});

test('the fault that ended a turn is said once', () => {
  const message = 'The model is overloaded.';
  const strand = aStrand().prompt('go').answer('Trying.', { stop: 'error', error: message });
  const error = { code: 'model', message };
  strand.add({
    kind: 'turn',
    prompt: strand.promptId(1),
    outcome: 'failed',
    error,
    files: [],
    coverage: { level: 'full', reasons: [] },
  });
  const [turn] = turnsIn(blocksOf(strand));
  expect(turn?.error?.message).toBe(message);
  expect(turn?.items.map(({ kind }) => kind)).toEqual(['text']);
});

test('an undo of files and conversation leaves the turn in sight, flagged, with the operation that redo needs', () => {
  const strand = aStrand().exchange('one', 'first', ['a']).exchange('two', 'second', ['b']);
  const turn = strand.promptId(2);
  strand.undo({ op: testOp('undo1'), turns: [turn], to: testId(4) });
  const turns = turnsIn(blocksOf(strand));
  expect(turns.map((block) => block.standing)).toEqual(['path', 'undone']);
  expect(turns[1]?.undo).toMatchObject({ op: testOp('undo1'), scope: 'both', files: true });
  strand.redo({ op: testOp('redo1'), undo: testOp('undo1'), to: testId(7) });
  expect(turnsIn(blocksOf(strand)).map((block) => [block.standing, block.undo])).toEqual([
    ['path', null],
    ['path', null],
  ]);
});

test('an undo of files alone keeps the turn in the conversation and says that its files are undone', () => {
  const strand = aStrand().exchange('one', 'first', ['a']);
  strand.undo({ op: testOp('undo1'), turns: [strand.promptId(1)], scope: 'files' });
  expect(turnsIn(blocksOf(strand))[0]).toMatchObject({
    standing: 'path',
    undo: { scope: 'files', files: true },
  });
});

test('turns that a move of the tip left behind are another attempt', () => {
  const strand = aStrand().exchange('one', 'first').exchange('two', 'second');
  strand.tip(testId(3), 'offshoot').exchange('three', 'third');
  const blocks = blocksOf(strand);
  expect(shape(blocks)).toEqual(['one: text', 'two: text', 'move', 'three: text']);
  expect(turnsIn(blocks).map((block) => block.standing)).toEqual(['path', 'offshoot', 'path']);
});

test('nothing of the file is hidden: bad lines, newer records, foreign records, cleared contexts', () => {
  const strand = aStrand()
    .add({ kind: 'change', setting: 'mode', value: 'ask', by: 'user' })
    .exchange('one', 'first')
    .badLine()
    .add({ kind: 'custom', type: 'x.acme.note', data: 1 })
    .add({ kind: 'boundary' })
    .exchange('two', 'second');
  expect(shape(blocksOf(strand))).toEqual(['setting', 'one: text', 'warning,newer,context', 'two: text']);
  const unknown = {
    kind: 'unknown',
    id: testId(99),
    parent: null,
    at: '',
    recordKind: 'poll',
    raw: {},
  } as const;
  const state = replay([...strand.lines(), { seq: 99, decoded: unknown }]);
  expect(shape(transcriptOf(state, null)).at(-1)).toBe('newer');
});

test('partial coverage and effects outside are said in sentences', () => {
  const strand = aStrand()
    .prompt('go')
    .add({
      kind: 'turn',
      prompt: testId(2),
      outcome: 'done',
      files: [],
      coverage: { level: 'partial', reasons: ['b was written by a shell command.'] },
      external: ['npm wrote to the cache'],
    });
  expect(turnsIn(blocksOf(strand))[0]?.notices).toEqual([
    'The files listed here can be undone; what commands changed besides is not covered.',
    'b was written by a shell command.',
    'Commands of this turn reached further than undo does.',
    'npm wrote to the cache',
  ]);
});

test('a window that starts in the middle shows the rest of a turn and counts from the whole path', () => {
  const strand = aStrand()
    .exchange('one', 'first')
    .prompt('two')
    .answer('a')
    .answer('b')
    .turn()
    .exchange('three', 'c');
  const lines = strand.lines().slice(6);
  const blocks = transcriptOf(replay(lines, { window: true }), null, { turnsOnPath: 3 });
  expect(shape(blocks)).toEqual(['…: text', 'three: text']);
  expect(turnsIn(blocks).map((block) => block.number)).toEqual([null, 3]);
});

test('turns that did not change keep their identity, also when older lines are loaded before them', () => {
  const strand = aStrand().exchange('one', 'first').exchange('two', 'second').prompt('three').answer('x');
  const lines = strand.lines();
  const first = transcriptOf(replay(lines), null);
  const grown = transcriptOf(applyLine(replay(lines), addedLine(strand)), null, { previous: first });
  expect(grown.slice(0, 2)).toEqual(first.slice(0, 2));
  expect(grown[0]).toBe(first[0]);
  expect(grown[1]).toBe(first[1]);
  expect(grown[2]).not.toBe(first[2]);
  const [kept] = turnsIn(first).at(-1)?.items ?? [];
  expect(turnsIn(grown).at(-1)?.items[0]).toBe(kept);
  const tail = transcriptOf(replay(lines.slice(4), { window: true }), null, { turnsOnPath: 3 });
  const whole = transcriptOf(replay(lines), null, { previous: tail });
  expect(whole.at(-1)).toBe(tail.at(-1));
});

test('a hundred thousand deltas redraw only the running turn', () => {
  const strand = aStrand().exchange('one', 'first').prompt('two');
  const turn = strand.promptId(2);
  const base = transcriptOf(strand.state(), null, { running: true });
  const live = applyLive(null, turn, { type: 'text', block: 'b', text: 'Hello' });
  const shown = withLive(base, live);
  expect(shown[0]).toBe(base[0]);
  expect(turnsIn(shown)[1]).toMatchObject({
    running: true,
    live: { parts: [{ kind: 'text', text: 'Hello' }] },
  });
  expect(turnsIn(shown)[1]?.items).toBe(turnsIn(base)[1]?.items);
  expect(turnsIn(withLive(shown, null))[1]?.live).toBeNull();
});

test('live output goes to the recorded call, not to a second line', () => {
  const strand = aStrand().prompt('go').call('c1', 'bash', { command: 'make' });
  const turn = strand.promptId();
  let live = applyLive(null, turn, { type: 'tool_input', call: 'c1', name: 'bash', delta: '{}' });
  live = applyLive(live, turn, { type: 'tool_output', call: 'c1', text: 'compiling' });
  const [block] = turnsIn(transcriptOf(strand.state(), live));
  expect(block?.live?.parts).toEqual([]);
  expect(block?.live?.outputs.get('c1')).toBe('compiling');
});

test('no strand makes it throw, and every prompt has its block', () => {
  const strand = aStrand().exchange('one', 'first').badLine('torn').exchange('two', 'second');
  let state = emptyStrand();
  for (const line of strand.lines()) {
    state = applyLine(state, line);
    const prompts = [...state.nodes.values()].filter((node) => node.prompt === node.id);
    expect(turnsIn(transcriptOf(state, null)).map((block) => block.turn)).toEqual(
      prompts.map((node) => node.id),
    );
  }
  expect(transcriptOf(emptyStrand(), null)).toEqual([]);
});

function addedLine(strand: StrandBuilder) {
  const seq = strand.lines().length + 1;
  const record = {
    id: testId(seq) as RecordId,
    parent: strand.lastId(),
    at: '2026-01-02T04:00:00.000Z',
    kind: 'message' as const,
    role: 'assistant' as const,
    parts: [{ type: 'text' as const, text: 'more' }],
  };
  return { seq, decoded: { kind: 'ok' as const, record } };
}
