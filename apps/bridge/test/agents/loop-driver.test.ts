import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContextMessage } from '@skein/core/strand/context';
import type { AgentEvent } from '@skein/core/turn/agent-event';
import { record, startRecorder } from '@skein/core/turn/recorder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentDriver, ResolvedProvider } from '../../src/agents/driver.ts';
import { createLoopDriver, type LoopDriverDeps } from '../../src/agents/loop/driver.ts';
import { type FakeModelServer, openFakeModelServer } from '../support/fake-model-server.ts';
import { endOf, ofType, openTurnBench, type TurnBench, textOf, userMessage } from './turn-bench.ts';

let server: FakeModelServer;
let bench: TurnBench;

beforeEach(async () => {
  server = await openFakeModelServer();
  bench = openTurnBench();
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await bench[Symbol.asyncDispose]();
});

const WIRES = ['anthropic', 'openai', 'google', 'local'] as const;
type Provider = (typeof WIRES)[number];

const provider = (id: Provider): ResolvedProvider => ({
  id,
  config: {
    kind: id === 'local' ? 'openai-compatible' : id,
    baseUrl: `${server.url}/v1`,
    prices: { m: { input: 1, output: 10 } },
  },
  apiKey: id === 'local' ? null : 'sk-secret-key',
  models: ['m'],
});

const driverFor = (id: Provider, rest: Partial<LoopDriverDeps> = {}): AgentDriver =>
  createLoopDriver({
    providers: async () => [provider(id)],
    instructionsFile: '/nowhere/AGENTS.md',
    retry: { delaysMs: [5, 5, 5], maxWaitMs: 3000 },
    ...rest,
  });

const messagesOf = (index: number): unknown => {
  const { body } = server.requests[index]!;
  return body['messages'] ?? body['input'] ?? body['contents'];
};

/** The conversation after a turn, as core's recorder keeps it and gives it back. */
const contextAfter = (prompt: string, events: readonly AgentEvent[]): ContextMessage[] => {
  let state = startRecorder();
  const bodies = events.flatMap((event) => {
    const step = record(state, event);
    state = step.state;
    return step.append;
  });
  const messages = bodies.flatMap((body) =>
    body.kind === 'message'
      ? [{ role: body.role, parts: body.parts, record: '000000000002' as never, model: body.model ?? null }]
      : [],
  );
  return [userMessage([{ type: 'text', text: prompt }]), ...messages];
};

describe.each(WIRES)('%s', (id) => {
  test('a whole turn: thinking, text, a call, its result, the answer, usage and cost', async () => {
    writeFileSync(join(bench.dir, 'a.txt'), 'one\n');
    server.reply(
      {
        thinking: { text: 'Let me look 😀.', signature: 'c2ln' },
        text: 'Reading é…',
        calls: [{ id: 'c1', name: 'read', input: { path: 'a.txt' } }],
        usage: { input: 100, output: 20 },
      },
      { text: 'It says one.', usage: { input: 130, output: 5 } },
    );
    const events = await bench.run(driverFor(id), { prompt: 'what is in a.txt?' });
    expect(endOf(events)).toEqual({ type: 'end', outcome: 'done' });
    expect(textOf(events)).toBe('Reading é…It says one.');
    expect(
      ofType(events, 'thinking')
        .map(({ text }) => text)
        .join(''),
    ).toBe('Let me look 😀.');
    expect(ofType(events, 'tool_result')).toMatchObject([{ status: 'ok', output: '1\tone' }]);
    expect(
      ofType(events, 'step_end').map(({ stop, usage, costUsd }) => [
        stop,
        usage?.input,
        usage?.output,
        costUsd,
      ]),
    ).toEqual([
      ['tool', 100, 20, 0.0003],
      ['end', 130, 5, 0.00018],
    ]);
    expect(JSON.stringify(messagesOf(1))).toContain('1\\tone');
  });

  test('a stream that is split after every byte gives the same events', async () => {
    const answer = {
      thinking: { text: 'hm 😀' },
      text: 'Hé 😀 there',
      calls: [{ id: 'c1', name: 'glob', input: { pattern: '*é😀' } }],
    };
    const shapes: unknown[] = [];
    for (const split of [undefined, 'bytes', 7] as const) {
      server.reply({ ...answer, ...(split === undefined ? {} : { split }) }, { text: 'done' });
      const events = await bench.run(driverFor(id), { prompt: 'x' });
      shapes.push([
        textOf(events),
        ofType(events, 'tool_call').map(({ name, input }) => [name, input]),
        endOf(events),
      ]);
    }
    expect(shapes[1]).toEqual(shapes[0]);
    expect(shapes[2]).toEqual(shapes[0]);
    expect(shapes[0]).toEqual([
      'Hé 😀 theredone',
      [['glob', { pattern: '*é😀' }]],
      { type: 'end', outcome: 'done' },
    ]);
  });

  test('what the next turn sends begins with what this one sent', async () => {
    const driver = driverFor(id);
    server.reply(
      {
        thinking: { text: 'T', signature: 'U0lH' },
        text: 'S',
        calls: [{ id: 'c1', name: 'bash', input: { command: 'seq 20000; exit 3' }, signature: 'Q0FMTA==' }],
      },
      { text: 'failed with 3' },
      { text: 'again' },
    );
    const first = await bench.run(driver, { prompt: 'one' });
    const context = contextAfter('one', first);
    await bench.run(driver, { prompt: 'two', context });
    const clean = (value: unknown): unknown[] =>
      JSON.parse(JSON.stringify(value).replace(/,"cache_control":\{[^}]*\}/g, ''));
    const [sent, next] = [clean(messagesOf(1)), clean(messagesOf(2))];
    expect(next.slice(0, sent.length)).toEqual(sent);
    expect(next.length).toBeGreaterThan(sent.length);
    expect(JSON.stringify(sent)).toContain('[exit code 3]');
  });

  test('429 with Retry-After, then 500, then an answer', async () => {
    server.reply({ status: 429, headers: { 'retry-after': '1' } }, { status: 500 }, { text: 'at last' });
    const started = Date.now();
    const events = await bench.run(driverFor(id), { prompt: 'x' });
    expect(Date.now() - started).toBeGreaterThanOrEqual(1000);
    expect(ofType(events, 'retry').map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
      [1, 1000],
      [2, 5],
    ]);
    expect([textOf(events), endOf(events).outcome]).toEqual(['at last', 'done']);
  });

  test('a connection that is cut in the middle is tried again from the start of the step', async () => {
    server.reply({ text: 'half of a long answer that never ends', cutAt: -200 }, { text: 'whole' });
    const events = await bench.run(driverFor(id), { prompt: 'x' });
    const order = events.map(({ type }) => type).filter((type) => type !== 'text');
    expect(order).toEqual(['step_start', 'retry', 'step_start', 'step_end', 'end']);
    expect(textOf(events.slice(events.findIndex(({ type }) => type === 'retry')))).toBe('whole');
  });

  test('a connection that is cut every time keeps what came last and fails', async () => {
    const cut = {
      text: 'half of a long answer that never ends',
      calls: [{ id: 'c1', name: 'write', input: { path: 'x', content: 'y' } }],
      cutAt: -60,
    };
    server.reply(cut, cut, cut, cut);
    const events = await bench.run(driverFor(id), { prompt: 'x' });
    expect(ofType(events, 'retry')).toHaveLength(3);
    expect(ofType(events, 'step_end')).toMatchObject([{ stop: 'error' }]);
    expect(endOf(events)).toMatchObject({ outcome: 'failed', error: { code: 'provider' } });
    const told = ofType(events, 'tool_call').map(({ call }) => call);
    expect(ofType(events, 'tool_result').map(({ call, status }) => [call, status])).toEqual(
      told.map((call) => [call, 'interrupted']),
    );
  });

  test('a stream that ends early without an error is tried again', async () => {
    server.reply({ text: 'half', stop: 'none' }, { text: 'whole' });
    const events = await bench.run(driverFor(id), { prompt: 'x' });
    expect(ofType(events, 'retry')).toHaveLength(1);
    expect(endOf(events).outcome).toBe('done');
  });

  test('usage that is missing leaves the cost unknown', async () => {
    server.reply({ text: 'free', usage: 'missing' });
    const events = await bench.run(driverFor(id), { prompt: 'x' });
    const [end] = ofType(events, 'step_end');
    expect(end?.stop).toBe('end');
    expect(end?.costUsd ?? 0).toBe(0);
  });

  test('a refused key fails at once, in words, without the key', async () => {
    server.reply({ status: 401, body: { error: { message: 'bad key sk-secret-key' } } });
    const events = await bench.run(driverFor(id), { prompt: 'x' });
    expect(ofType(events, 'retry')).toEqual([]);
    const { error } = endOf(events);
    expect(error?.message).toContain('(401)');
    expect(JSON.stringify(events)).not.toContain(id === 'local' ? '\0' : 'sk-secret-key');
  });

  test('an answer at the output limit ends the turn as limit, with its text', async () => {
    server.reply({ text: 'and then', stop: 'length' });
    const events = await bench.run(driverFor(id), { prompt: 'x' });
    expect([textOf(events), ofType(events, 'step_end')[0]?.stop, endOf(events).outcome]).toEqual([
      'and then',
      'length',
      'limit',
    ]);
  });

  test('a content filter fails the turn and says so', async () => {
    server.reply({ text: 'I', stop: 'filter' });
    const events = await bench.run(driverFor(id), { prompt: 'x' });
    expect(endOf(events).error?.message).toContain('content rules');
  });

  test('an interrupt in the middle of a stream keeps the text and closes the connection', async () => {
    const controller = new AbortController();
    server.reply({ text: 'first half, second half', split: 40, delayMs: 10, hangAt: -40 });
    const events = await bench.run(driverFor(id), {
      prompt: 'x',
      signal: controller.signal,
      onEvent: (event) => event.type === 'text' && setTimeout(() => controller.abort(), 30),
    });
    expect(textOf(events)).toMatch(/^first.*\[interrupted by user\]$/s);
    expect(endOf(events)).toEqual({ type: 'end', outcome: 'aborted' });
  });
});

describe.each(['anthropic', 'openai', 'local'] as const)('%s', (id) => {
  test('malformed arguments and unknown tools come back to the model as errors it can fix', async () => {
    server.reply(
      {
        calls: [
          { id: 'c1', name: 'write', input: '{"path": "a.txt", "content":' },
          { id: 'c2', name: 'nothing', input: {} },
        ],
      },
      { calls: [{ id: 'c3', name: 'write', input: { path: 'a.txt', content: 'x' } }] },
      { text: 'fixed' },
    );
    const events = await bench.run(driverFor(id), { prompt: 'x' });
    expect(ofType(events, 'tool_result').map(({ status }) => status)).toEqual(['error', 'error', 'ok']);
    expect(JSON.stringify(messagesOf(1))).toContain('is not valid JSON');
    expect(JSON.stringify(messagesOf(1))).toContain('There is no tool nothing');
    expect(endOf(events).outcome).toBe('done');
  });
});

test('anthropic gets its thinking signature back byte for byte', async () => {
  const signature = 'ErUB+/Cg==\\"é';
  server.reply(
    {
      thinking: { text: ' think ', signature },
      calls: [{ id: 'c1', name: 'glob', input: { pattern: 'x' } }],
    },
    { text: 'done' },
  );
  const events = await bench.run(driverFor('anthropic'), { prompt: 'x' });
  expect(ofType(events, 'thinking').at(-1)?.signature).toBe(signature);
  expect(messagesOf(1)).toMatchObject([
    {},
    { content: [{ type: 'thinking', thinking: ' think ', signature }, {}] },
    {},
  ]);
});

test('openai gets its encrypted reasoning back, and nothing is stored there', async () => {
  server.reply(
    {
      thinking: { text: 'T', signature: 'gAAAA==' },
      calls: [{ id: 'c1', name: 'glob', input: { pattern: 'x' } }],
    },
    { text: 'done' },
  );
  await bench.run(driverFor('openai'), { prompt: 'x' });
  expect(server.requests[0]?.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
  expect(JSON.stringify(messagesOf(1))).toContain('"encrypted_content":"gAAAA=="');
});

test('google gets the signature of a call back on that call', async () => {
  server.reply(
    { calls: [{ id: 'c1', name: 'glob', input: { pattern: 'x' }, signature: 'R0VN' }] },
    { text: 'done' },
  );
  await bench.run(driverFor('google'), { prompt: 'x' });
  expect(JSON.stringify(messagesOf(1))).toContain('"thoughtSignature":"R0VN"');
});

test('thinking of another model is not sent', async () => {
  const context: ContextMessage[] = [
    userMessage([{ type: 'text', text: 'hi' }]),
    {
      role: 'assistant',
      parts: [
        { type: 'thinking', text: 'secret thoughts', signature: 'AAA=' },
        { type: 'text', text: 'hello' },
      ],
      record: '000000000003' as never,
      model: 'openai/other',
    },
  ];
  server.reply({ text: 'ok' });
  await bench.run(driverFor('anthropic'), { prompt: 'x', context });
  expect(JSON.stringify(messagesOf(0))).not.toContain('secret thoughts');
  expect(JSON.stringify(messagesOf(0))).toContain('hello');
});

test('images, notes and mentioned files reach the model', async () => {
  writeFileSync(join(bench.dir, 'm.txt'), 'mentioned\n');
  server.reply({ text: 'ok' });
  await bench.run(driverFor('anthropic'), {
    parts: [
      { type: 'note', text: 'files were restored' },
      { type: 'text', text: 'look' },
      { type: 'mention', path: 'm.txt' },
      { type: 'image', mime: 'image/png', data: 'iVBORw0KGgo=' },
    ],
  });
  const sent = JSON.stringify(messagesOf(0));
  expect(sent).toContain('files were restored');
  expect(sent).toContain('1\\tmentioned');
  expect(sent).toContain('"media_type":"image/png","data":"iVBORw0KGgo="');
});

test('an existing file must be read before it is written, and read again when it changed', async () => {
  const path = join(bench.dir, 'a.txt');
  writeFileSync(path, 'theirs\n');
  const write = (id: string) => ({
    calls: [{ id, name: 'write', input: { path: 'a.txt', content: 'ours\n' } }],
  });
  server.reply(
    write('c1'),
    { calls: [{ id: 'c2', name: 'read', input: { path: 'a.txt' } }] },
    write('c3'),
    write('c4'),
    { text: 'done' },
  );
  const events = await bench.run(driverFor('local'), {
    prompt: 'x',
    onEvent: (event) =>
      event.type === 'tool_result' && event.call === 'c3' && writeFileSync(path, 'edited\n'),
  });
  expect(ofType(events, 'tool_result').map(({ status, output }) => [status, output.split(':')[0]])).toEqual([
    ['error', `Read ${path} first`],
    ['ok', '1\ttheirs'],
    ['ok', 'Wrote a.txt (1 line).'],
    ['error', `${path} changed on disk since you last read it. Read it again, then repeat the change.`],
  ]);
  expect(readFileSync(path, 'utf8')).toBe('edited\n');
});

test('the cost limit stops before the next call', async () => {
  server.reply(
    { calls: [{ id: 'c1', name: 'glob', input: { pattern: 'x' } }], usage: { input: 1_000_000, output: 0 } },
    { text: 'never' },
  );
  const events = await bench.run(driverFor('local'), { prompt: 'x', limits: { costUsd: 0.5 } });
  expect(endOf(events)).toMatchObject({
    outcome: 'limit',
    error: { message: expect.stringContaining('1.00 dollars') },
  });
  expect(server.requests).toHaveLength(1);
});

test('an empty answer is tried once more and then fails; after tool calls it means done', async () => {
  server.reply({}, {});
  const events = await bench.run(driverFor('local'), { prompt: 'x' });
  expect(endOf(events)).toMatchObject({
    outcome: 'failed',
    error: { message: 'The model gave an empty answer.' },
  });
  server.reply({ calls: [{ id: 'c1', name: 'glob', input: { pattern: 'x' } }] }, {});
  expect(endOf(await bench.run(driverFor('local'), { prompt: 'x' })).outcome).toBe('done');
});

test('a server that never says why it stopped is believed the second time', async () => {
  server.reply({ text: 'hello', stop: 'none' }, { text: 'hello', stop: 'none' });
  const events = await bench.run(driverFor('local'), { prompt: 'x' });
  expect(endOf(events).outcome).toBe('done');
});

test('a silent connection counts as cut', async () => {
  server.reply({ text: 'hello', hangAt: 10 }, { text: 'ok' });
  const events = await bench.run(driverFor('local', { idleTimeoutMs: 1000 }), { prompt: 'x' });
  expect(ofType(events, 'retry')[0]?.message).toContain('silent');
  expect(textOf(events)).toBe('ok');
});

test('a server that asks for too much patience is not waited for', async () => {
  server.reply({ status: 429, headers: { 'retry-after': '3600' } });
  expect(endOf(await bench.run(driverFor('local'), { prompt: 'x' })).outcome).toBe('failed');
});

test('an interrupt during the wait before a retry ends the turn at once', async () => {
  const controller = new AbortController();
  server.reply({ status: 429, headers: { 'retry-after': '2' } });
  const events = await bench.run(driverFor('local'), {
    prompt: 'x',
    signal: controller.signal,
    onEvent: ({ type }) => type === 'retry' && controller.abort(),
  });
  expect(endOf(events)).toEqual({ type: 'end', outcome: 'aborted' });
});

test('a reused call id gets another name, and every call has one result', async () => {
  server.reply(
    { calls: [{ id: 'call_0', name: 'glob', input: { pattern: 'a' } }] },
    { calls: [{ id: 'call_0', name: 'glob', input: { pattern: 'b' } }] },
    { text: 'done' },
  );
  const events = await bench.run(driverFor('local'), { prompt: 'x' });
  const calls = ofType(events, 'tool_call').map(({ call }) => call);
  expect(calls).toEqual(['call_0', 'call_0_2']);
  expect(ofType(events, 'tool_result').map(({ call }) => call)).toEqual(calls);
});

test('a consumer that leaves early leaves no model call behind', async () => {
  server.reply({ text: 'hello there', split: 30, delayMs: 5, hangAt: -30 });
  const leave = bench.run(driverFor('local'), {
    prompt: 'x',
    onEvent: ({ type }) => {
      if (type === 'text') throw new Error('leaving');
    },
  });
  await expect(leave).rejects.toThrow('leaving');
  await expect.poll(() => server.hangups()).toBe(1);
});

test('instructions and the mode are in the system prompt; plan mode is told', async () => {
  writeFileSync(join(bench.dir, 'AGENTS.md'), 'Always rhyme.');
  server.reply({ text: 'ok' });
  await bench.run(driverFor('anthropic'), { prompt: 'x', mode: 'plan' });
  const system = JSON.stringify(server.requests[0]?.body['system']);
  expect(system).toContain('<instructions source=\\"AGENTS.md\\">\\nAlways rhyme.');
  expect(system).toContain('Permission mode: plan');
  expect(system).toContain('cache_control');
});

test('without a key the turn says what to do', async () => {
  const keyless = createLoopDriver({
    providers: async () => [{ ...provider('anthropic'), config: { kind: 'anthropic' }, apiKey: null }],
    instructionsFile: '/nowhere',
  });
  await expect(bench.run(keyless, { prompt: 'x' })).rejects.toMatchObject({ code: 'no_provider' });
  const events = await bench.run(driverFor('local'), { prompt: 'x', model: 'nobody/m' });
  expect(endOf(events)).toMatchObject({ outcome: 'failed', error: { code: 'no_provider' } });
});
