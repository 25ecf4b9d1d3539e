import { expect, test } from 'vitest';
import { openRegexSearch, workerScript } from './regex-search.ts';

test('lines that match come with their numbers, up to the limit', async () => {
  const search = openRegexSearch(/b+/u, 5000);
  expect(await search.search('a\nb\r\ncbb', 10)).toEqual([
    { line: 2, text: 'b' },
    { line: 3, text: 'cbb' },
  ]);
  expect(await search.search('b\nb\nb', 2)).toHaveLength(2);
  await search.close();
});

test('the deadline ends a search that runs away', async () => {
  const search = openRegexSearch(/^(a+)+$/u, 1500);
  expect(await search.search(`${'a'.repeat(40)}!`, 10)).toBe('slow');
  await search.close();
});

test('the script of the thread is found in the sources, in the bundle and in a chunk of it', () => {
  expect(workerScript('file:///s/tools/regex-search.ts').pathname).toBe('/s/tools/regex-worker.ts');
  expect(workerScript('file:///d/main.js').pathname).toBe('/d/regex-worker.js');
  expect(workerScript('file:///d/chunks/abc.js').pathname).toBe('/d/regex-worker.js');
});
