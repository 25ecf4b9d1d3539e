import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScriptDriver } from '../../src/agents/script/driver.ts';
import { endOf, ofType, openTurnBench, type TurnBench, textOf } from './turn-bench.ts';

let bench: TurnBench;
const crashed: string[] = [];
const driver = createScriptDriver({ crash: (point) => crashed.push(point) });
const file = (name: string): string => join(bench.dir, name);
const read = (name: string): string => readFileSync(file(name), 'utf8');

beforeEach(() => {
  bench = openTurnBench();
  crashed.length = 0;
});
afterEach(() => bench[Symbol.asyncDispose]());

test('say and think join the message of the next call, one call a message', async () => {
  const events = await bench.run(driver, {
    prompt: 'think hm\nsay first\nwrite a.txt one\nwrite b.txt "two"\nsay done',
  });
  const shape = events
    .filter(({ type }) => !['tool_input', 'decision'].includes(type))
    .map((event) => (event.type === 'tool_call' ? `call ${event.name}` : event.type));
  expect(shape.join(' ')).toBe(
    'step_start thinking text call write step_end tool_start tool_result ' +
      'step_start call write step_end tool_start tool_result step_start text step_end end',
  );
  expect(endOf(events)).toEqual({ type: 'end', outcome: 'done' });
  expect([read('a.txt'), read('b.txt')]).toEqual(['one\n', 'two']);
});

test('text streams in small pieces that join to the whole', async () => {
  const words = 'each 😀 word counts '.repeat(20).trim();
  const events = await bench.run(driver, { prompt: `say ${words}` });
  expect(textOf(events)).toBe(words);
  expect(ofType(events, 'text').length).toBeGreaterThan(5);
});

test('plain words are said', async () => {
  expect(textOf(await bench.run(driver, { prompt: 'hello there' }))).toBe('hello there');
});

test('edit, read, rm and sh run through gate and process host', async () => {
  writeFileSync(file('a.txt'), 'one two\n');
  writeFileSync(file('b.txt'), 'b\n');
  const events = await bench.run(driver, {
    prompt:
      'read a.txt\nedit a.txt two => three\nrm b.txt\nsh --paths a.txt,c.txt "echo x > c.txt; cat a.txt"',
  });
  expect(ofType(events, 'tool_result').map(({ status, output }) => [status, output])).toEqual([
    ['ok', '1\tone two'],
    ['ok', 'Changed a.txt (1 place).'],
    ['ok', 'Deleted b.txt.'],
    ['ok', 'one three\n'],
  ]);
  expect(existsSync(file('b.txt'))).toBe(false);
  expect(bench.gate.log.slice(-3).map((line) => line.replace(/ turn.*/, ''))).toEqual([
    'checkpoint a.txt,c.txt',
    'ungated',
    'settle a.txt,c.txt',
  ]);
});

test('a protected path is refused and the turn goes on', async () => {
  const events = await bench.run(driver, { prompt: 'write .git/hooks/x y\nsay still here' });
  expect(ofType(events, 'tool_result')[0]).toMatchObject({
    status: 'error',
    output: '.git/hooks/x is protected.',
  });
  expect(textOf(events)).toBe('still here');
});

test('a refused write says so, and the next one works', async () => {
  bench.gate.failNext();
  const events = await bench.run(driver, { prompt: 'write a.txt x\nwrite a.txt x' });
  expect(ofType(events, 'tool_result').map(({ status }) => status)).toEqual(['error', 'ok']);
});

test('a denied call is recorded with its reason and not run', async () => {
  const events = await bench.run(driver, {
    prompt: 'write a.txt x\nask bash',
    answer: ({ tool }) =>
      tool === 'write' ? { kind: 'denied', by: 'user', reason: 'not now' } : { kind: 'allowed', by: 'user' },
  });
  expect(
    ofType(events, 'decision').map(({ tool, allowed, by, reason }) => [tool, allowed, by, reason]),
  ).toEqual([
    ['write', false, 'user', 'not now'],
    ['bash', true, 'user', undefined],
  ]);
  expect(ofType(events, 'tool_result').map(({ status, output }) => [status, output])).toEqual([
    ['denied', 'not now'],
    ['ok', 'bash is allowed.'],
  ]);
  expect(existsSync(file('a.txt'))).toBe(false);
});

test('reading asks the gate, so that a rule can deny it, but leaves no decision behind', async () => {
  const events = await bench.run(driver, { prompt: 'tool glob {"pattern":"*.ts"}' });
  expect(bench.asked.map(({ tool }) => tool)).toEqual(['glob']);
  expect(ofType(events, 'decision')).toEqual([]);
});

test('the permission request shows command and change', async () => {
  writeFileSync(file('a.txt'), 'old\n');
  await bench.run(driver, { prompt: 'write a.txt new\nsh echo hi' });
  expect(bench.asked.map(({ title, command, edit }) => ({ title, command, edit }))).toEqual([
    { title: 'Write a.txt', command: null, edit: { path: 'a.txt', before: 'old\n', after: 'new\n' } },
    { title: 'echo hi', command: 'echo hi', edit: null },
  ]);
});

test('fail ends the turn as failed with what was said kept', async () => {
  const events = await bench.run(driver, { prompt: 'say so far\nfail no more' });
  expect(textOf(events)).toBe('so far');
  expect(endOf(events)).toMatchObject({ outcome: 'failed', error: { code: 'provider', message: 'no more' } });
});

test('crash comes after everything before it has its result', async () => {
  const events = await bench.run(driver, {
    prompt: 'write a.txt x\ncrash now',
    onEvent: (event) => event.type === 'tool_result' && expect(crashed).toEqual([]),
  });
  expect(crashed).toEqual(['now']);
  expect(endOf(events).outcome).toBe('done');
});

test('task and unknown tools answer with an error the model can read', async () => {
  const events = await bench.run(driver, {
    prompt: 'task do it\ntool nothing {}\ntool write {"path":1}\ntool write not json',
  });
  const outputs = ofType(events, 'tool_result').map(({ status, output }) => `${status}: ${output}`);
  expect(outputs[0]).toBe('error: Sub-agents are not available yet: the task was not started.');
  expect(outputs[1]).toContain('error: There is no tool nothing. The tools are: read, write');
  expect(outputs[2]).toContain('error: The input of write does not fit: path:');
  expect(outputs[3]).toBe('error: The input of write is not valid JSON. Send it again as one JSON object.');
});

test('the same call with the same result four times in eight steps ends the turn', async () => {
  const events = await bench.run(driver, { prompt: 'sh echo x\n'.repeat(6) });
  expect(ofType(events, 'tool_result')).toHaveLength(4);
  expect(endOf(events)).toMatchObject({ outcome: 'limit', error: { code: 'limit' } });
});

test('the step limit ends the turn with every call answered', async () => {
  const script = Array.from({ length: 9 }, (_, n) => `write f${n}.txt ${n}`).join('\n');
  const events = await bench.run(driver, { prompt: script, limits: { steps: 3 } });
  expect(endOf(events)).toMatchObject({ outcome: 'limit' });
  expect(ofType(events, 'tool_result')).toHaveLength(3);
});

test('call ids differ between turns', async () => {
  const first = await bench.run(driver, { prompt: 'write a.txt 1' });
  const second = await bench.run(driver, { prompt: 'write a.txt 2' });
  expect(ofType(first, 'tool_call')[0]?.call).not.toBe(ofType(second, 'tool_call')[0]?.call);
});

test('a steer is handed over between two steps and its statements are played last', async () => {
  const steers = [{ id: 's1', text: 'say steered' }];
  const events = await bench.run(driver, {
    prompt: 'write a.txt 1\nsay done',
    takeSteers: () => steers.splice(0),
  });
  expect(ofType(events, 'steer')).toHaveLength(1);
  expect(textOf(events)).toBe('done');
  const later = [[], [], [{ id: 's2', text: 'say steered' }]];
  const again = await bench.run(driver, {
    prompt: 'write a.txt 1\nsay done',
    takeSteers: () => later.shift() ?? [],
  });
  expect(textOf(again)).toBe('donesteered');
});

test('an interrupt keeps the partial text and ends the turn as aborted', async () => {
  const controller = new AbortController();
  const events = await bench.run(driver, {
    prompt: 'say half of it\nsleep 60000\nsay never',
    signal: controller.signal,
    onEvent: (event) => event.type === 'text' && event.block !== 'interrupted' && controller.abort(),
  });
  expect(textOf(events)).toBe('half of it\n\n[interrupted by user]');
  expect(ofType(events, 'step_end')[0]?.stop).toBe('aborted');
  expect(endOf(events)).toEqual({ type: 'end', outcome: 'aborted' });
});

test('an interrupt during a command answers its call and kills it', async () => {
  const controller = new AbortController();
  const events = await bench.run(driver, {
    prompt: 'sh echo begun; sleep 1000\nwrite a.txt never',
    signal: controller.signal,
    onEvent: (event) => event.type === 'tool_output' && controller.abort(),
  });
  expect(ofType(events, 'tool_result').map(({ status, output }) => [status, output])).toEqual([
    ['interrupted', 'begun\n[interrupted by user]'],
  ]);
  expect(endOf(events).outcome).toBe('aborted');
});

test('an interrupt while a permission is open answers the call', async () => {
  const controller = new AbortController();
  const events = await bench.run(driver, {
    prompt: 'write a.txt x',
    signal: controller.signal,
    answer: () => {
      controller.abort();
      return new Promise(() => undefined);
    },
  });
  expect(ofType(events, 'tool_result').map(({ status }) => status)).toEqual(['interrupted']);
  expect(endOf(events).outcome).toBe('aborted');
});

test('long output is whole in the result', async () => {
  const events = await bench.run(driver, { prompt: 'sh seq 100000' });
  const [result] = ofType(events, 'tool_result');
  expect(result?.output.length).toBe(588_895);
  expect(ofType(events, 'tool_output').length).toBeGreaterThan(0);
});

test('a command that fails has its exit code', async () => {
  const events = await bench.run(driver, { prompt: 'sh exit 7' });
  expect(ofType(events, 'tool_result')[0]).toMatchObject({ status: 'error', exitCode: 7, output: '' });
});
