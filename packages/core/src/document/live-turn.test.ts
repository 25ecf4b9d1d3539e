import { expect, test } from 'vitest';
import type { StrandRecord } from '../record/schema.ts';
import { aStrand, testId } from '../testing/a-strand.ts';
import type { LiveEvent } from '../turn/agent-event.ts';
import { applyLive, applyLiveAll, LIVE_OUTPUT_MAX, type LiveTurn, settleLive } from './live-turn.ts';

const TURN = testId(2);
const play = (...events: readonly LiveEvent[]): LiveTurn | null =>
  applyLiveAll(
    null,
    events.map((event) => ({ turn: TURN, event })),
  );
const last = (strand: ReturnType<typeof aStrand>): StrandRecord => {
  const record = strand.records().at(-1);
  if (record === undefined) throw new Error('no record');
  return record;
};

test('deltas of a block join; interleaved blocks stay apart', () => {
  const live = play(
    { type: 'step_start', model: 'm' },
    { type: 'thinking', block: '1', text: 'Hm' },
    { type: 'text', block: '2', text: 'He' },
    { type: 'thinking', block: '1', text: 'm.' },
    { type: 'text', block: '2', text: 'llo' },
  );
  expect(live).toMatchObject({
    model: 'm',
    parts: [
      { kind: 'thinking', text: 'Hmm.' },
      { kind: 'text', text: 'Hello' },
    ],
  });
});

test('a recorded message replaces its text; its calls go on until they have a result', () => {
  const live = play(
    { type: 'text', block: '1', text: 'I run it.' },
    { type: 'tool_input', call: 'c', name: 'bash', delta: '{"command":"make"}' },
    { type: 'tool_start', call: 'c' },
    { type: 'tool_output', call: 'c', text: 'ok' },
  );
  const settled = settleLive(live, last(aStrand().prompt('go').call('c', 'bash')));
  expect(settled?.parts).toMatchObject([{ kind: 'call', call: 'c', started: true, output: 'ok' }]);
  expect(settleLive(settled, last(aStrand().prompt('go').call('c').result('c')))?.parts).toEqual([]);
});

test('the end of the turn ends what streams; the end of another turn does not', () => {
  const live = play({ type: 'text', block: '1', text: 'x' });
  expect(settleLive(live, last(aStrand().exchange('one', 'first')))).toBeNull();
  expect(settleLive(live, last(aStrand().exchange('one', 'first').exchange('two', 'second')))).toBe(live);
});

test('deltas of a newer turn start anew', () => {
  const live = play({ type: 'text', block: '1', text: 'old' });
  expect(applyLive(live, testId(9), { type: 'text', block: '1', text: 'new' })).toMatchObject({
    turn: testId(9),
    parts: [{ text: 'new' }],
  });
});

test('a page that joins in the middle draws the step so far', () => {
  const live = play(
    { type: 'text', block: 'stale', text: 'stale' },
    {
      type: 'catch_up',
      blocks: [{ block: '1', kind: 'text', text: 'So far' }],
      calls: [{ call: 'c', name: 'bash', input: '{}', output: 'out', started: true }],
    },
    { type: 'text', block: '1', text: ', so good' },
  );
  expect(live?.parts).toMatchObject([{ text: 'So far, so good' }, { kind: 'call', output: 'out' }]);
});

test('a retry is shown until text comes again', () => {
  const live = play({ type: 'retry', attempt: 2, delayMs: 1500, message: 'overloaded' });
  expect(live?.retry).toEqual({ attempt: 2, delayMs: 1500, message: 'overloaded' });
  expect(applyLive(live, TURN, { type: 'text', block: '1', text: 'x' }).retry).toBeNull();
});

test('a command that prints without end keeps the end of its output, whole characters only', () => {
  const live = play({ type: 'tool_output', call: 'c', text: `${'😀'.repeat(LIVE_OUTPUT_MAX)}!` });
  const [call] = live?.parts ?? [];
  const output = call?.kind === 'call' ? call.output : '';
  expect(output.length).toBeLessThanOrEqual(LIVE_OUTPUT_MAX);
  expect(output.isWellFormed()).toBe(true);
  expect(output.endsWith('😀!')).toBe(true);
});
