import { expect, test } from 'vitest';
import { searched } from './match.ts';
import type { PaletteCommand, PaletteStrand } from './palette-rows.tsx';
import { resultsOf } from './use-palette-results.ts';

const nothing = () => undefined;
const COMMANDS: readonly PaletteCommand[] = [
  { id: 'new', title: 'New session', group: 'Sessions', onRun: nothing },
  { id: 'settings', title: 'Settings', group: 'Page', onRun: nothing },
];
const strand = (title: string, index = 0): PaletteStrand => ({
  id: `a1b2c3-${index}`,
  title,
  detail: 'acme/api · claude',
  state: 'idle',
});
const results = (titles: readonly string[], query: string, commands = COMMANDS) =>
  resultsOf(
    commands,
    titles.map((title, index) => ({
      item: strand(title, index),
      text: searched(title, 'acme/api · claude'),
    })),
    query,
  );
const many = Array.from({ length: 10_000 }, (_, index) => `Session number ${index}`);

test('before anything is typed, the newest sessions come first and the commands in their groups', () => {
  const shown = results(many, '');
  expect(shown.strands.map(({ title }) => title)).toEqual(many.slice(0, 8));
  expect(shown.groups.map(({ heading }) => heading)).toEqual(['Sessions', 'Page']);
  expect(shown.first).toBe('strand a1b2c3-0');
});

test('of ten thousand sessions fifty are shown and all are counted', () => {
  expect(results(many, 'number')).toMatchObject({ total: 10_000, strands: { length: 50 } });
  expect(results(many, '', [])).toMatchObject({ total: 10_000, strands: { length: 50 } });
});

test('a command that fits as well as the best session is the first row', () => {
  expect(results(['Settings page'], 'sett')).toMatchObject({
    commandsFirst: true,
    first: 'command settings',
  });
  expect(results(['Settings do not save'], 'settings save')).toMatchObject({ first: 'strand a1b2c3-0' });
});

test('an id is never searched', () => {
  expect(results(['Title'], 'a1b2c3').first).toBe('');
});
