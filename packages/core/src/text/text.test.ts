import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLines, diffStats } from './diff-stats.ts';
import { headTail, utf8Length } from './head-tail.ts';
import { oneLine, truncate } from './truncate.ts';
import { encodeUtf8 } from './utf8.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 80 });

test('a truncated text is well-formed and never longer than asked', () => {
  fc.assert(
    fc.property(anyText, fc.nat(40), (text, max) => {
      const cut = truncate(text, max);
      expect(cut.isWellFormed()).toBe(true);
      expect([...cut].length).toBeLessThanOrEqual(max);
      if ([...text].length <= max) expect(cut).toBe(text);
    }),
  );
  expect(truncate('abcd', 3)).toBe('ab…');
  expect(truncate('😀😀', 2)).toBe('😀😀');
});

test('head and tail are whole characters of either end, within their bytes', () => {
  fc.assert(
    fc.property(anyText, fc.nat(20), fc.nat(20), (text, headBytes, tailBytes) => {
      const { head, tail, bytes } = headTail(text, headBytes, tailBytes);
      expect(bytes).toBe(encodeUtf8(text).length);
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      if (bytes <= headBytes + tailBytes) expect([head, tail]).toEqual([text, '']);
      else {
        expect(encodeUtf8(head).length).toBeLessThanOrEqual(headBytes);
        expect(encodeUtf8(tail).length).toBeLessThanOrEqual(tailBytes);
        expect(headBytes - encodeUtf8(head).length).toBeLessThan(4);
      }
    }),
  );
});

test('a lone surrogate counts as the replacement that it becomes', () => {
  expect(headTail('a\ud83d', 10, 10)).toEqual({ head: 'a\ufffd', tail: '', bytes: 4 });
  expect(utf8Length('aé世😀')).toBe(1 + 2 + 3 + 4);
});

test('one line has no line breaks or control characters', () => {
  expect(oneLine('  a\r\n\tb\u0007c  ')).toBe('a b c');
});

test.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['\n', 1],
  ['\n\n', 2],
])('the lines of %j are %i', (text, lines) => {
  expect(countLines(text)).toBe(lines);
});

test.each([
  ['', '', 0, 0],
  ['', 'a\nb\n', 2, 0],
  ['a\nb\n', '', 0, 2],
  ['a\nb\nc\n', 'a\nx\nc\n', 1, 1],
  ['a', 'a\n', 1, 1],
  ['a\nb\nc\nd\n', 'b\nd\ne\n', 1, 2],
  ['x\n', 'x\nx\n', 1, 0],
  ['a\nb\n', 'b\na\n', 1, 1],
])('from %j to %j: %i added, %i removed', (before, after, added, removed) => {
  expect(diffStats(before, after)).toEqual({ added, removed });
});

test('the counts are those of the longest common subsequence', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  const common = (a: readonly string[], b: readonly string[]): number => {
    const [x, y] = [a[0], b[0]];
    if (x === undefined || y === undefined) return 0;
    return x === y
      ? 1 + common(a.slice(1), b.slice(1))
      : Math.max(common(a.slice(1), b), common(a, b.slice(1)));
  };
  const textOf = (list: readonly string[]) => list.map((line) => `${line}\n`).join('');
  fc.assert(
    fc.property(lines, lines, (a, b) => {
      const shared = common(a, b);
      expect(diffStats(textOf(a), textOf(b))).toEqual({
        added: b.length - shared,
        removed: a.length - shared,
      });
    }),
    { numRuns: 60 },
  );
});

test('texts too different to be compared cheaply have no counts', () => {
  const lines = (word: string) => Array.from({ length: 5000 }, (_, index) => `${word}${index}\n`).join('');
  expect(diffStats(lines('a'), lines('b'))).toBeNull();
  expect(diffStats('x'.repeat(5_000_000), 'y'.repeat(5_000_000))).toBeNull();
  expect(diffStats(`${lines('a')}end\n`, `new\n${lines('a')}`)).toEqual({ added: 1, removed: 1 });
});
