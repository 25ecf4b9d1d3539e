import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../process-tools.mjs';
import { MUTANTS } from './list.mjs';

test.each(MUTANTS)('the mutant “$name” has its place in the code, once', ({ file, find, replace, tests }) => {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  expect(text.split(find)).toHaveLength(2);
  expect(text.replace(find, () => replace)).not.toBe(text);
  for (const name of tests) expect(existsSync(path.join(ROOT, name))).toBe(true);
});

test('there are enough of them, each of its own name', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(12);
});
