import { expect, test } from 'vitest';
import { codeOf, labelOf } from './pairing.ts';

test('a code is read from a link or taken as it is; the host of a link plays no part', () => {
  expect(codeOf(' http://127.0.0.1:4765/#code=Ab_1-xyz ')).toBe('Ab_1-xyz');
  expect(codeOf('https://evil.example/?x=1#code=Ab_1-xyz')).toBe('Ab_1-xyz');
  expect(codeOf('Ab_1-xyz')).toBe('Ab_1-xyz');
});

test('anything else is no code', () => {
  for (const text of ['', 'http://127.0.0.1:4765/', 'a b c d', '#code=']) expect(codeOf(text)).toBeNull();
});

test('a browser is named by its kind and its system', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36';
  expect(labelOf(chrome)).toBe('Chrome on Linux');
  expect(labelOf('curl/8')).toBe('Browser on unknown system');
});
