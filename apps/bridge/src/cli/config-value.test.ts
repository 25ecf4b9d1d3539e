import { expect, test } from 'vitest';
import { parseSetting, readSetting, unsetPatch } from './config-value.ts';

test('a value is a word, a number or JSON, whichever the setting takes', () => {
  expect(parseSetting({}, 'mode', 'edits')).toEqual({ kind: 'ok', patch: { mode: 'edits' } });
  expect(parseSetting({}, 'port', '5000')).toEqual({ kind: 'ok', patch: { port: 5000 } });
  expect(parseSetting({}, 'model', '5000')).toEqual({ kind: 'ok', patch: { model: '5000' } });
  expect(parseSetting({}, 'editor', '["code","{path}"]')).toEqual({
    kind: 'ok',
    patch: { editor: ['code', '{path}'] },
  });
});

test('a part of a setting keeps its other parts', () => {
  const config = { limits: { steps: 10, costUsd: 2 } };
  expect(parseSetting(config, 'limits.steps', '20')).toEqual({
    kind: 'ok',
    patch: { limits: { steps: 20, costUsd: 2 } },
  });
});

test('what does not fit is told, and so is a part that nobody knows', () => {
  expect(parseSetting({}, 'mode', 'wild').kind).toBe('bad');
  expect(parseSetting({}, 'limits.stepz', '3')).toEqual({ kind: 'bad', problem: 'there is no such part' });
  expect(parseSetting({}, 'mode.x', 'y').kind).toBe('bad');
});

test.each([
  ['2', 2],
  ['0.5', 0.5],
  ['forever', 'forever'],
])('snapshots.retentionDays can be %s', (text, value) => {
  const patch = { snapshots: { retentionDays: value } };
  expect(parseSetting({}, 'snapshots.retentionDays', text)).toEqual({ kind: 'ok', patch });
});

test.each(['7days', '0', '-1', 'NaN', 'Infinity', '1e999', 'never', '""', '[7]'])(
  'snapshots.retentionDays cannot be %s',
  (text) => expect(parseSetting({}, 'snapshots.retentionDays', text).kind).toBe('bad'),
);

test('a setting is read by its dotted name', () => {
  expect(readSetting({ limits: { steps: 3 } }, 'limits.steps')).toBe(3);
  expect(readSetting({}, 'limits.steps')).toBeUndefined();
});

test('a setting is taken out, whole or in part; the word null does the same', () => {
  const config = { model: 'a/b', limits: { steps: 80, costUsd: 2 } };
  expect(unsetPatch(config, 'model')).toEqual({ model: null });
  expect(unsetPatch(config, 'limits.steps')).toEqual({ limits: { costUsd: 2 } });
  expect(unsetPatch(config, 'limits.shellTimeoutMs')).toEqual({ limits: config.limits });
  expect(parseSetting(config, 'model', 'null')).toEqual({ kind: 'ok', patch: { model: null } });
  expect(parseSetting(config, 'model', ' ')).toMatchObject({ kind: 'bad' });
});
