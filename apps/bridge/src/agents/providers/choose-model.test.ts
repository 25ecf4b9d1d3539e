import { expect, test } from 'vitest';
import type { ResolvedProvider } from '../driver.ts';
import { chooseModel, offeredModels } from './choose-model.ts';

const anthropic: ResolvedProvider = {
  id: 'anthropic',
  config: { kind: 'anthropic' },
  apiKey: null,
  models: [],
};
const ollama: ResolvedProvider = {
  id: 'ollama',
  config: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' },
  apiKey: null,
  models: [],
};
const fault = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return (error as { code: string; message: string }).code;
  }
};

test('a provider without a key offers nothing and says so when it is named', () => {
  expect(offeredModels([anthropic])).toEqual([]);
  expect(fault(() => chooseModel([anthropic], 'anthropic/x'))).toBe('no_provider');
  expect(() => chooseModel([anthropic], 'anthropic/x')).toThrow('There is no key for anthropic.');
});

test('with a key it offers its known models, the first is the default', () => {
  const keyed = { ...anthropic, apiKey: 'k' };
  expect(chooseModel([ollama, keyed], null).model).toBe(
    offeredModels([keyed])[0]?.slice('anthropic/'.length),
  );
  expect(chooseModel([{ ...keyed, models: ['mine'] }], null).model).toBe('mine');
});

test('a local server needs no key; its model names may hold slashes', () => {
  expect(chooseModel([anthropic, ollama], 'ollama/org/model:7b')).toMatchObject({ model: 'org/model:7b' });
});

test.each(['nobody/m', 'noslash', 'ollama/', '/m'])('%s is no model', (name) => {
  expect(fault(() => chooseModel([ollama], name))).toBe('no_provider');
});

test('with nothing to ask the sentence says what to do', () => {
  expect(() => chooseModel([anthropic, ollama], null)).toThrow('Add a key for Anthropic, OpenAI or Google');
});
