/**
 * What every driver promises (`src/agents/driver.ts`), as tests. A driver joins by saying how a scenario is
 * played: steps of text and calls, the last one perhaps without an end.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentEvent, agentEventSchema } from '@skein/core/turn/agent-event';
import { interruptRecorder, record, startRecorder } from '@skein/core/turn/recorder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentDriver } from '../../src/agents/driver.ts';
import { endOf, ofType, openTurnBench, type TurnBench, textOf } from './turn-bench.ts';

export interface ScenarioStep {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
  /** Says its text and then nothing more, until it is interrupted. */
  readonly hangs?: boolean;
}

export interface DriverUnderTest {
  readonly driver: AgentDriver;
  /** Makes the next turn play these steps; returns the prompt that starts it. */
  play(steps: readonly ScenarioStep[]): string;
  close(): Promise<void>;
}

export const describeDriver = (name: string, open: () => Promise<DriverUnderTest>): void => {
  describe(`driver contract: ${name}`, () => {
    let bench: TurnBench;
    let under: DriverUnderTest;
    beforeEach(async () => {
      bench = openTurnBench();
      under = await open();
    });
    afterEach(async () => {
      await under.close();
      await bench[Symbol.asyncDispose]();
    });
    const run = (steps: readonly ScenarioStep[], rest: Partial<Parameters<TurnBench['run']>[1]> = {}) =>
      bench.run(under.driver, { prompt: under.play(steps), ...rest });
    const write = (path: string, content: string) => ({ name: 'write', input: { path, content } });

    test('every event fits its schema, and end comes last and once', async () => {
      const events = await run([{ text: 'first', call: write('a.txt', 'a') }, { text: 'done' }]);
      for (const event of events) expect(agentEventSchema.parse(event)).toEqual(event);
      expect(endOf(events)).toEqual({ type: 'end', outcome: 'done' });
      expect(textOf(events)).toBe('firstdone');
      expect(readFileSync(join(bench.dir, 'a.txt'), 'utf8')).toBe('a');
    });

    test('a step ends before its calls run, and each call has one result', async () => {
      const events = await run([{ call: write('a.txt', 'a') }, { call: write('b.txt', 'b') }, { text: 'x' }]);
      expect(
        events.map(({ type }) => type).filter((type) => /^(step|tool_(call|start|result))/.test(type)),
      ).toEqual([
        ...Array.from({ length: 2 }, () => [
          'step_start',
          'tool_call',
          'step_end',
          'tool_start',
          'tool_result',
        ]).flat(),
        'step_start',
        'step_end',
      ]);
      expectAnswered(events);
    });

    test('nothing runs before the consumer has taken the call', async () => {
      await run([{ call: write('a.txt', 'a') }, { text: 'x' }], {
        onEvent: ({ type }) => {
          if (type === 'tool_call' || type === 'step_end') expect(ofDisk(bench, 'a.txt') === 'a').toBe(seen);
          if (type === 'tool_result') seen = true;
        },
      });
    });
    let seen = false;
    beforeEach(() => {
      seen = false;
    });

    test('an interrupt keeps the text, ends the step and the turn as aborted', async () => {
      const controller = new AbortController();
      const events = await run([{ text: 'so far', hangs: true }], {
        signal: controller.signal,
        onEvent: ({ type }) => type === 'text' && controller.abort(),
      });
      expect(textOf(events)).toMatch(/^so/);
      expect(ofType(events, 'step_end').at(-1)?.stop).toBe('aborted');
      expect(endOf(events)).toEqual({ type: 'end', outcome: 'aborted' });
    });

    test('a turn that is interrupted before it begins does nothing', async () => {
      const events = await run([{ call: write('a.txt', 'a') }], { signal: AbortSignal.abort() });
      expect(endOf(events).outcome).toBe('aborted');
      expect(existsSync(join(bench.dir, 'a.txt'))).toBe(false);
    });

    test('an interrupt in a command answers it and the calls after it', async () => {
      const controller = new AbortController();
      const events = await run(
        [{ call: { name: 'bash', input: { command: 'echo up; sleep 1000' } } }, { text: 'x' }],
        {
          signal: controller.signal,
          onEvent: ({ type }) => type === 'tool_output' && controller.abort(),
        },
      );
      expect(ofType(events, 'tool_result').map(({ status }) => status)).toEqual(['interrupted']);
      expectAnswered(events);
    });

    test('a refusal is told with its reason and nothing is written', async () => {
      const events = await run([{ call: write('a.txt', 'a') }, { text: 'ok' }], {
        answer: () => ({ kind: 'denied', by: 'user', reason: 'no' }),
      });
      expect(ofType(events, 'decision')).toMatchObject([{ allowed: false, by: 'user', reason: 'no' }]);
      expect(ofType(events, 'tool_result')).toMatchObject([{ status: 'denied', output: 'no' }]);
      expect(existsSync(join(bench.dir, 'a.txt'))).toBe(false);
      expect(endOf(events).outcome).toBe('done');
    });

    test('a permission gate that fails is an error of the call, not the end of the turn', async () => {
      const events = await run([{ call: write('a.txt', 'a') }, { text: 'ok' }], {
        answer: () => Promise.reject(new Error('the desk is gone')),
      });
      expect(ofType(events, 'tool_result')).toMatchObject([{ status: 'error', output: 'the desk is gone' }]);
      expect(endOf(events).outcome).toBe('done');
    });

    test('a refused write is an error that the agent sees', async () => {
      bench.gate.failNext();
      const events = await run([{ call: write('a.txt', 'a') }, { text: 'ok' }]);
      expect(ofType(events, 'tool_result')).toMatchObject([{ status: 'error' }]);
      expect(endOf(events).outcome).toBe('done');
    });

    test('the limit of steps ends the turn as limit, every call answered', async () => {
      const steps = Array.from({ length: 5 }, (_, n) => ({ call: write(`f${n}`, 'x') }));
      const events = await run(steps, { limits: { steps: 2 } });
      expect(endOf(events)).toMatchObject({ outcome: 'limit', error: { code: 'limit' } });
      expectAnswered(events);
    });

    test('a message of the user is taken between two steps', async () => {
      const steers = [[], [{ id: 's1', text: 'say more' }], []];
      const events = await run([{ call: write('a.txt', 'a') }, { text: 'x' }], {
        takeSteers: () => steers.shift() ?? [],
      });
      const order = events
        .map(({ type }) => type)
        .filter((type) => ['steer', 'step_start', 'tool_result'].includes(type));
      expect(order.slice(0, 4)).toEqual(['step_start', 'tool_result', 'steer', 'step_start']);
    });

    test('one driver runs turn after turn, with calls of different names', async () => {
      const first = await run([{ call: write('a.txt', '1') }, { text: 'x' }]);
      const second = await run([{ call: write('a.txt', '2') }, { text: 'x' }]);
      expect([endOf(first).outcome, endOf(second).outcome]).toEqual(['done', 'done']);
      expect(ofDisk(bench, 'a.txt')).toBe('2');
    });
  });
};

const ofDisk = (bench: TurnBench, name: string): string =>
  existsSync(join(bench.dir, name)) ? readFileSync(join(bench.dir, name), 'utf8') : '';

/** Through core's recorder: what is recorded has exactly one result for every call, and nothing is left open. */
const expectAnswered = (events: readonly AgentEvent[]): void => {
  let state = startRecorder();
  const parts = events.flatMap((event) => {
    const step = record(state, event);
    state = step.state;
    return step.append.flatMap((body) => (body.kind === 'message' ? body.parts : []));
  });
  expect(interruptRecorder(state)).toEqual([]);
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [part.call] : []));
  expect(parts.flatMap((part) => (part.type === 'tool_result' ? [part.call] : []))).toEqual(calls);
  expect(calls.length).toBeGreaterThan(0);
};
