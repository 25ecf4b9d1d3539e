import { expect, test } from 'vitest';
import { loadLanguage } from './highlight-grammars.ts';
import { languageOf, languageOfPath } from './highlight-languages.ts';

test('names, aliases and endings lead to a grammar that is there', async () => {
  expect(['ts', 'TSX', 'sh', 'dockerfile', 'C++'].map(languageOf)).toEqual([
    'typescript',
    'tsx',
    'bash',
    'docker',
    'cpp',
  ]);
  expect(['src/a.py', 'Makefile', 'a/b.unknown', 'LICENSE'].map(languageOfPath)).toEqual([
    'py',
    'makefile',
    undefined,
    undefined,
  ]);
  for (const name of ['typescript', 'docker', 'make', 'ini', 'markdown', 'vue']) {
    expect(languageOf(name)).toBe(name);
    await expect(loadLanguage(name)).resolves.toBeTruthy();
  }
});

test('what is not known is not coloured, whatever it is called', async () => {
  expect(['constructor', '__proto__', '', '../x', undefined].map(languageOf)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
  await expect(loadLanguage('constructor')).rejects.toThrow('no grammar');
});
