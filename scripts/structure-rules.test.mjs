import { expect, test } from 'vitest';
import { checkStructure, percentile } from './structure-rules.mjs';

const rulesFor = (file, text) => checkStructure({ [file]: text }).findings.map(({ rule }) => rule);
const lines = (count) => 'export {};\n'.repeat(count);

// The words are put together here so that other searches for them do not find this file.
const BROKEN = [
  ['no-module-mocks', 'packages/core/src/x.test.ts', `${'vi'}.mock('./x.ts');`],
  ['no-only', 'packages/core/src/x.test.ts', `test${'.only'}('x', () => {});`],
  ['no-any', 'packages/core/src/x.ts', `export const x: ${'any'} = 1;`],
  ['no-any', 'packages/core/src/x.ts', `export const x = 1 as ${'any'};`],
  ['no-ts-ignore', 'packages/core/src/x.ts', `// @ts-${'ignore'}\nexport const x = 1;`],
  ['no-machine-path', 'packages/core/src/x.test.ts', `export const x = '${'/wo'}rk/main';`],
  ['no-machine-path', 'packages/core/src/x.ts', "export const x = '/home/ada/project';"],
  ['no-direct-clock', 'packages/core/src/x.ts', 'export const x = Date.now();'],
  ['no-direct-clock', 'apps/bridge/src/flows/x.ts', 'export const x = crypto.randomUUID();'],
  ['max-lines', 'packages/core/src/x.ts', lines(401)],
  ['max-lines', 'packages/core/src/x.test.ts', lines(501)],
];

test.each(BROKEN)('%s is reported for %s', (rule, file, text) => {
  expect(rulesFor(file, text)).toEqual([rule]);
});

const ALLOWED = [
  ['packages/core/src/x.ts', `// A comment may speak of: any value, and of Date.now().\n${lines(399)}`],
  ['packages/core/src/x.ts', `// size: one table, splitting it hides the order\n${lines(600)}`],
  ['packages/core/src/x.ts', "export const x = 'allow: any file';"],
  ['packages/core/src/x.test.ts', "export const x = '/home/ada/project';"],
  ['apps/bridge/src/platform/clock.ts', 'export const now = () => Date.now();'],
  ['packages/core/src/x.ts', "export const x = 'src/work/file.ts';"],
];

test.each(ALLOWED)('%s may hold: %.60s', (file, text) => {
  expect(rulesFor(file, text)).toEqual([]);
});

test('percentiles are by nearest rank', () => {
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(2);
  expect(percentile([4, 1, 3, 2], 1)).toBe(4);
  expect(percentile([], 0.5)).toBe(0);
});
