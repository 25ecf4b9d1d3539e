import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Part } from '../record/parts.ts';
import { type RecordBody, recordBodySchema } from '../record/schema.ts';
import { type AgentEvent, liveEventSchema } from './agent-event.ts';
import { catchUp, interruptRecorder, record, startRecorder } from './recorder.ts';

const run = (events: readonly AgentEvent[]) => {
  let state = startRecorder();
  const append: RecordBody[] = [];
  const live = [];
  for (const event of events) {
    const step = record(state, event);
    state = step.state;
    append.push(...step.append);
    live.push(...step.live);
  }
  return { state, append, live };
};
const partsOf = (bodies: readonly RecordBody[]): readonly Part[] =>
  bodies.flatMap((body) => (body.kind === 'message' ? body.parts : []));
const shape = (bodies: readonly RecordBody[]) =>
  bodies.map((body) =>
    body.kind === 'message'
      ? `${body.role}[${body.parts.map((part) => (part.type === 'tool_result' ? `${part.call}=${part.status}` : part.type === 'text' ? part.text : part.type)).join(' ')}]`
      : body.kind,
  );
const start: AgentEvent = { type: 'step_start', model: 'p/m' };
const end: AgentEvent = { type: 'step_end', stop: 'tool' };
const say = (text: string, block = 't'): AgentEvent => ({ type: 'text', block, text });
const call = (id: string): AgentEvent => ({
  type: 'tool_call',
  call: id,
  name: 'bash',
  input: { command: 'ls' },
});
const result = (id: string): AgentEvent => ({
  type: 'tool_result',
  call: id,
  status: 'ok',
  output: 'out',
  durationMs: 3,
  exitCode: 0,
});
const done: AgentEvent = { type: 'end', outcome: 'done' };

test('a step becomes one assistant message when it ends, its blocks in the order in which they began', () => {
  const { append, live } = run([
    start,
    { type: 'thinking', block: 'x', text: 'hm' },
    say('Hel'),
    { type: 'thinking', block: 'x', text: 'm', signature: 'sig==' },
    say('lo'),
    call('c1'),
    { type: 'step_end', stop: 'tool', usage: { input: 5, output: 2 }, costUsd: 0.5 },
  ]);
  expect(append).toEqual([
    {
      kind: 'message',
      role: 'assistant',
      parts: [
        { type: 'thinking', text: 'hmm', signature: 'sig==' },
        { type: 'text', text: 'Hello' },
        { type: 'tool_call', call: 'c1', name: 'bash', input: { command: 'ls' } },
      ],
      model: 'p/m',
      usage: { input: 5, output: 2 },
      cost: 0.5,
      stop: 'tool',
    },
  ]);
  expect(live.map(({ type }) => type)).toEqual([
    'step_start',
    'thinking',
    'text',
    'thinking',
    'text',
    'tool_input',
  ]);
});

test('a result is a tool message of its own, with what is known of the run', () => {
  expect(
    run([start, call('c1'), end, { type: 'tool_start', call: 'c1' }, result('c1')]).append.at(-1),
  ).toEqual({
    kind: 'message',
    role: 'tool',
    by: 'bridge',
    parts: [{ type: 'tool_result', call: 'c1', status: 'ok', output: 'out', durationMs: 3, exitCode: 0 }],
  });
});

test('a result that comes while its step is open ends the step first', () => {
  expect(shape(run([start, say('a'), call('c1'), result('c1'), say('b'), end, done]).append)).toEqual([
    'assistant[a tool_call]',
    'tool[c1=ok]',
    'assistant[b]',
  ]);
});

test('an interrupt keeps the partial text and answers every open call', () => {
  const { state } = run([start, call('c1'), call('c2'), end, result('c1'), start, say('par')]);
  const bodies = interruptRecorder(state);
  expect(shape(bodies)).toEqual(['assistant[par]', 'tool[c2=interrupted]']);
  expect(bodies[0]).toMatchObject({ stop: 'aborted' });
});

test('the end of a turn settles what is open, once', () => {
  const { append, state } = run([start, say('a'), call('c1'), done, say('late'), done]);
  expect(shape(append)).toEqual(['assistant[a tool_call]', 'tool[c1=interrupted]']);
  expect(interruptRecorder(state)).toEqual([]);
});

test('a call told twice, a second result and a result without a call are not recorded', () => {
  const { append } = run([
    start,
    call('c1'),
    call('c1'),
    end,
    call('c1'),
    result('c1'),
    result('c1'),
    result('zz'),
    done,
  ]);
  expect(shape(append)).toEqual(['assistant[tool_call]', 'tool[c1=ok]']);
});

test('a call id may be used again once it is answered', () => {
  const { append } = run([start, call('c'), end, result('c'), start, call('c'), end, result('c'), done]);
  expect(shape(append)).toEqual(['assistant[tool_call]', 'tool[c=ok]', 'assistant[tool_call]', 'tool[c=ok]']);
});

test('retries and running output are live only', () => {
  const { append, live } = run([
    start,
    { type: 'retry', attempt: 1, delayMs: 500, message: 'overloaded' },
    { type: 'tool_output', call: 'c', text: 'x' },
  ]);
  expect(append).toEqual([]);
  expect(live.map(({ type }) => type)).toEqual(['step_start', 'retry', 'tool_output']);
});

test('decisions, spend and steers make their records', () => {
  const { append } = run([
    { type: 'decision', call: 'c', tool: 'bash', allowed: false, by: 'user', reason: 'no' },
    { type: 'usage', model: 'm', usage: { input: 1, output: 1 }, costUsd: 1, source: 'task' },
    { type: 'steer', id: 's1', text: 'hurry' },
  ]);
  expect(append).toEqual([
    { kind: 'decision', call: 'c', tool: 'bash', allowed: false, by: 'user', reason: 'no' },
    { kind: 'usage', model: 'm', usage: { input: 1, output: 1 }, cost: 1, source: 'task' },
    { kind: 'message', role: 'user', by: 'user', steer: true, parts: [{ type: 'text', text: 'hurry' }] },
  ]);
});

test('a failed call without a word still leaves its error and its cost', () => {
  const { append } = run([
    start,
    { type: 'step_end', stop: 'error', error: 'overloaded', usage: { input: 9, output: 0 } },
  ]);
  expect(append).toMatchObject([{ parts: [], stop: 'error', error: 'overloaded', usage: { input: 9 } }]);
  expect(run([start, { type: 'step_end', stop: 'end' }]).append).toEqual([]);
});

test('a page that joins mid-step gets the step so far and the calls that run', () => {
  const { state } = run([
    start,
    call('c1'),
    end,
    { type: 'tool_start', call: 'c1' },
    { type: 'tool_output', call: 'c1', text: 'line\n' },
    start,
    say('so '),
    say('far'),
    { type: 'tool_input', call: 'c2', name: 'edit', delta: '{"pa' },
  ]);
  const event = catchUp(state);
  expect(liveEventSchema.parse(event)).toEqual(event);
  expect(event).toEqual({
    type: 'catch_up',
    blocks: [{ block: 't', kind: 'text', text: 'so far' }],
    calls: [
      { call: 'c1', name: 'bash', input: '{"command":"ls"}', output: 'line\n', started: true },
      { call: 'c2', name: 'edit', input: '{"pa', output: '', started: false },
    ],
  });
});

test('an input that nests too deep for a record is not kept, and does not end the turn', () => {
  const input: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
  const { append } = run([start, { type: 'tool_call', call: 'c', name: 'x', input }, end]);
  expect(partsOf(append)).toMatchObject([{ type: 'tool_call', input: '(nested too deep to be kept)' }]);
});

const id = fc.constantFrom('a', 'b', 'c');
const anyEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.constant(start),
  fc.constant(end),
  fc.record({
    type: fc.constant('step_end' as const),
    stop: fc.constant('aborted' as const),
    usage: fc.constant({ input: 1, output: 1 }),
  }),
  fc.tuple(id, fc.string()).map(([block, text]): AgentEvent => ({ type: 'text', block, text })),
  fc.tuple(id, fc.string()).map(([block, text]): AgentEvent => ({ type: 'thinking', block, text })),
  id.map((name): AgentEvent => ({ type: 'tool_input', call: name, name, delta: '{' })),
  id.map(call),
  id.map((name): AgentEvent => ({ type: 'tool_start', call: name })),
  id.map((name): AgentEvent => ({ type: 'tool_output', call: name, text: 'o' })),
  id.map(result),
  fc.constant<AgentEvent>({ type: 'steer', id: 's', text: 'x' }),
  fc.constant<AgentEvent>({ type: 'retry', attempt: 1, delayMs: 1, message: 'm' }),
);

test('for any events: no text is lost or doubled, and every call has exactly one result after it', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 60 }), fc.boolean(), (events, interrupted) => {
      const { append, state } = run(interrupted ? events : [...events, done]);
      const bodies = interrupted ? [...append, ...interruptRecorder(state)] : append;
      for (const body of bodies) expect(recordBodySchema.safeParse(body).success).toBe(true);
      const open: string[] = [];
      for (const part of partsOf(bodies)) {
        if (part.type === 'tool_call') {
          expect(open).not.toContain(part.call);
          open.push(part.call);
        } else if (part.type === 'tool_result') {
          expect(open).toContain(part.call);
          open.splice(open.indexOf(part.call), 1);
        }
      }
      expect(open).toEqual([]);
      for (const kind of ['text', 'thinking'] as const) {
        const told = events.flatMap((event) => (event.type === kind ? [event.text] : []));
        const kept = bodies.flatMap((body) =>
          body.kind === 'message' && body.role === 'assistant'
            ? body.parts.flatMap((part) => (part.type === kind ? [part.text] : []))
            : [],
        );
        // Blocks may interleave within a step, so characters are compared, whatever their order.
        expect([...kept.join('')].sort()).toEqual([...told.join('')].sort());
      }
    }),
    { numRuns: 300 },
  );
});

test('for any events of one block: the durable text is the deltas, one after another', () => {
  const oneBlock = anyEvent.filter(
    (event) => event.type !== 'steer' && (event.type !== 'text' || event.block === 'a'),
  );
  fc.assert(
    fc.property(fc.array(oneBlock, { maxLength: 60 }), (events) => {
      const told = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
      const kept = partsOf(run([...events, done]).append).flatMap((part) =>
        part.type === 'text' ? [part.text] : [],
      );
      expect(kept.join('')).toBe(told);
    }),
    { numRuns: 200 },
  );
});
