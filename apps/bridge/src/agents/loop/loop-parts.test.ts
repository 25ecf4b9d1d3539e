import { expect, test } from 'vitest';
import { costOf, priceOf } from '../prices.ts';
import { failureOf } from './failure.ts';
import { openLiveText } from './live-text.ts';
import { createLoopGuard } from './loop-guard.ts';
import { headAndTail, modelView } from './model-view.ts';
import { pause, retryDelay } from './retry.ts';
import { readSignature, writeSignature } from './signature.ts';

test('a long output is cut between characters at every length', () => {
  const text = '😀é'.repeat(40);
  for (let max = 0; max < 30; max += 1) expect(headAndTail(text, max).isWellFormed()).toBe(true);
  expect(headAndTail('abcdef', 4)).toBe('ab\n[2 characters left out]\nef');
  expect(headAndTail('abcd', 4)).toBe('abcd');
});

test('the model sees the exit code of a failure and a word for silence', () => {
  expect(modelView({ status: 'error', output: 'x\n', exitCode: 3 })).toBe('x\n[exit code 3]');
  expect(modelView({ status: 'ok', output: '\n', exitCode: 0 })).toBe('(no output)');
  expect(modelView({ status: 'ok', output: 'y'.repeat(10_000_000) }).length).toBeLessThan(30_100);
});

test('signatures go through a record unchanged', () => {
  const plain = 'ErUB+/Cg=="é';
  expect(writeSignature({ call: null, metadata: { anthropic: { signature: plain } } })).toBe(plain);
  for (const signature of [
    { call: null, metadata: { anthropic: { signature: plain } } },
    { call: null, metadata: { anthropic: { signature: '{odd' } } },
    { call: null, metadata: { anthropic: { redactedData: 'x==' } } },
    { call: null, metadata: { openai: { itemId: 'rs_1', reasoningEncryptedContent: null } } },
    { call: 'c1', metadata: { google: { thoughtSignature: 'R0VN' } } },
  ]) {
    expect(readSignature(writeSignature(signature))).toEqual(signature);
  }
  expect(readSignature('{"not":"ours"}')).toBeNull();
});

test('retries follow the schedule, the wish of the server, and end', () => {
  const policy = { delaysMs: [10, 20], maxWaitMs: 1000 };
  const failure = { code: 'provider', message: '', retryable: true, retryAfterMs: null };
  expect([1, 2, 3].map((attempt) => retryDelay(policy, failure, attempt))).toEqual([10, 20, null]);
  expect(retryDelay(policy, { ...failure, retryAfterMs: 500 }, 1)).toBe(500);
  expect(retryDelay(policy, { ...failure, retryAfterMs: 5000 }, 1)).toBeNull();
  expect(retryDelay(policy, { ...failure, retryable: false }, 1)).toBeNull();
});

test('a pause ends with the turn', async () => {
  expect(await pause(60_000, AbortSignal.abort())).toBe(false);
  expect(await pause(1, new AbortController().signal)).toBe(true);
});

test('Retry-After is read as seconds, milliseconds or a date', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z');
  const wanted = (responseHeaders: Record<string, string>) =>
    failureOf({ statusCode: 429, message: 'x', responseHeaders }, { nowMs, secret: null }).retryAfterMs;
  expect(wanted({ 'retry-after': '2' })).toBe(2000);
  expect(wanted({ 'retry-after-ms': '150' })).toBe(150);
  expect(wanted({ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' })).toBe(5000);
  expect(wanted({ 'retry-after': 'soon' })).toBeNull();
  expect(wanted({})).toBeNull();
});

test('a failure never shows the key', () => {
  const failure = failureOf(new Error('bad key sk-123456'), { nowMs: 0, secret: 'sk-123456' });
  expect(failure.message).toBe('The model call failed: bad key [key]');
});

test('four times the same within eight steps is a circle, spread wider it is not', () => {
  const same = { name: 'a', input: {}, result: 'x' };
  const guard = createLoopGuard();
  expect([1, 2, 3, 4].map(() => guard.note([same]))).toEqual([false, false, false, true]);
  const slow = createLoopGuard();
  const noted = Array.from({ length: 24 }, (_, n) =>
    slow.note([n % 3 === 0 ? same : { ...same, result: `${n}` }]),
  );
  expect(noted.includes(true)).toBe(false);
  const busy = createLoopGuard();
  expect(busy.note([same, same, same, same, same])).toBe(false);
});

test('live text that nobody takes is joined and the oldest dropped', async () => {
  const live = openLiveText();
  const waiting = live.more();
  live.push('a');
  live.push('b');
  await waiting;
  expect([live.take(), live.take()]).toEqual(['ab', '']);
  live.push('😀'.repeat(100_000));
  const text = live.take();
  expect(text.length).toBeLessThan(140_000);
  expect(text.isWellFormed()).toBe(true);
});

test('prices: the config wins, a dated name is its model, unknown is no cost', () => {
  expect(priceOf({ kind: 'anthropic', prices: { m: { input: 1, output: 2 } } }, 'm')).toEqual({
    input: 1,
    output: 2,
  });
  expect(priceOf({ kind: 'anthropic' }, 'claude-haiku-4-5-20251001')).toMatchObject({ input: 1, output: 5 });
  expect(priceOf({ kind: 'openai-compatible' }, 'gpt-5.4')).toBeNull();
  expect(priceOf({ kind: 'openai' }, 'nobody')).toBeNull();
  expect(costOf(null, { input: 1, output: 1 })).toBeUndefined();
  expect(costOf({ input: 1, output: 1 }, undefined)).toBeUndefined();
});

test('cost counts cached tokens at their price and long prompts at theirs', () => {
  const price = {
    input: 10,
    output: 100,
    cacheRead: 1,
    cacheWrite: 20,
    long: { above: 5_000_000, input: 2, output: 3 },
  };
  const usage = { input: 3_000_000, output: 1_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000 };
  expect(costOf(price, usage)).toBeCloseTo(10 + 1 + 20 + 100);
  expect(costOf(price, { input: 6_000_000, output: 1_000_000 })).toBeCloseTo(120 + 300);
});
