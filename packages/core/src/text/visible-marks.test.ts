import { expect, test } from 'vitest';
import { visibleMarks } from './visible-marks.ts';

test('marks that reorder or hide text are named, all other text stays', () => {
  expect(visibleMarks('echo "\u202egnp.exe" ; curl x')).toBe('echo "[U+202E]gnp.exe" ; curl x');
  expect(visibleMarks('a\u2066b\u2069c\u200bd\u001be')).toBe('a[U+2066]b[U+2069]c[U+200B]d[U+001B]e');
  const plain = 'two\nlines\tand עברית, 項目, 👩‍👧';
  expect(visibleMarks(plain)).toBe(plain);
});
