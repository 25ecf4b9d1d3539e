import fc from 'fast-check';
import { expect, test } from 'vitest';
import { personalConfigSchema } from './personal.ts';
import { checkConfig, withDefaults } from './resolve.ts';

test('no file, an empty file and a good file have no problems', () => {
  expect(checkConfig(undefined)).toEqual({ config: {}, problems: [] });
  expect(checkConfig({})).toEqual({ config: {}, problems: [] });
  const good = {
    mode: 'plan',
    limits: { steps: 5 },
    providers: { ollama: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' } },
  };
  expect(checkConfig(good)).toEqual({ config: good, problems: [] });
});

test('a bad value is reported by its path and only it is lost', () => {
  const { config, problems } = checkConfig({
    mode: 'yolo',
    theme: 'dark',
    limits: { steps: -1, costUsd: 2 },
    editor: ['code', 7],
    permissions: { allow: ['bash(ls)', 3], deny: ['bash(rm*)'] },
    providers: {
      good: { kind: 'google' },
      'Bad Name': { kind: 'google' },
      none: {},
      url: { kind: 'openai', baseUrl: 'x' },
    },
  });
  expect(config).toEqual({
    theme: 'dark',
    limits: { costUsd: 2 },
    permissions: { allow: ['bash(ls)'], deny: ['bash(rm*)'] },
    providers: { good: { kind: 'google' }, url: { kind: 'openai' } },
  });
  const paths = problems.map((problem) => problem.slice(0, problem.indexOf(':')));
  expect(paths.toSorted()).toEqual(
    [
      'mode',
      'limits.steps',
      'editor.1',
      'permissions.allow.1',
      'providers.Bad Name',
      'providers.none.kind',
      'providers.url.baseUrl',
    ].toSorted(),
  );
});

test('unknown keys are no problem', () => {
  expect(checkConfig({ zz: 1, limits: { later: true } }).problems).toEqual([]);
});

test('anything else than an object is reported and the defaults are used', () => {
  for (const raw of [null, [], 'x', 3]) expect(checkConfig(raw).problems).toHaveLength(1);
  expect(withDefaults({})).toMatchObject({
    port: 4765,
    theme: 'system',
    snapshots: { retentionDays: 7, maxBytes: 10_737_418_240 },
  });
});

test('whatever a file holds, what comes out fits the schema', () => {
  const key = fc.constantFrom(
    'agent',
    'mode',
    'limits',
    'providers',
    'permissions',
    'editor',
    'port',
    'snapshots',
    'kind',
    'steps',
    'allow',
    '__proto__',
    'x',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, 1, -1, 'ask', 'x', true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value')),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value), (raw) => {
      const { config } = checkConfig(raw);
      expect(personalConfigSchema.safeParse(config).success).toBe(true);
      withDefaults(config);
    }),
    { numRuns: 200 },
  );
});
