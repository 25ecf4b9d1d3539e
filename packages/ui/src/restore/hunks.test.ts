import { expect, test } from 'vitest';
import { diffSnippets, diffTexts } from './hunks.ts';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('');

test('a change has its hunk with line numbers of both sides', () => {
  const { hunks, added, removed } = diffTexts(
    lines(1, 20),
    lines(1, 20).replace('line 10', 'line ten\nand more'),
  );
  expect([hunks.length, added, removed]).toEqual([1, 2, 1]);
  expect(hunks[0]).toMatchObject({ skipped: 6, header: '@@ −7,7 +7,8 @@' });
  expect(hunks[0]?.lines.map((line) => [line.kind, line.oldLine, line.newLine])).toEqual([
    ['same', 7, 7],
    ['same', 8, 8],
    ['same', 9, 9],
    ['del', 10, null],
    ['add', null, 10],
    ['add', null, 11],
    ['same', 11, 12],
    ['same', 12, 13],
    ['same', 13, 14],
  ]);
});

test('changes far apart are two hunks, and what lies between is counted', () => {
  const text = lines(1, 60);
  const { hunks } = diffTexts(text, text.replace('line 5\n', 'five\n').replace('line 50\n', 'fifty\n'));
  expect(hunks.map((hunk) => hunk.skipped)).toEqual([1, 38]);
});

test('the words that changed are marked; unlike lines are not', () => {
  const [hunk] = diffTexts('const a = one(two);\n', 'const a = one(three);\n').hunks;
  const [before, after] = hunk?.lines ?? [];
  expect(before?.marks.map(([start, end]) => before.text.slice(start, end))).toEqual(['two']);
  expect(after?.marks.map(([start, end]) => after.text.slice(start, end))).toEqual(['three']);
  const unlike = diffTexts('aaaa bbbb\n', 'xyz 123\n').hunks[0]?.lines ?? [];
  expect(unlike.flatMap((line) => line.marks)).toEqual([]);
});

test('an absent file, an empty file and a file without a last line feed are told apart', () => {
  expect(diffTexts(null, 'a\n')).toMatchObject({ added: 1, removed: 0 });
  expect(diffTexts('a\n', null)).toMatchObject({ added: 0, removed: 1 });
  expect(diffTexts('', '').hunks).toEqual([]);
  const noNewline = diffTexts('a\n', 'a').hunks[0]?.lines ?? [];
  expect(noNewline.map((line) => [line.kind, line.noNewline])).toEqual([
    ['del', false],
    ['add', true],
  ]);
  expect(diffSnippets('a', 'b').hunks[0]?.lines.some((line) => line.noNewline)).toBe(false);
});

test('a carriage return that came or went can be seen', () => {
  const [hunk] = diffTexts('a\r\n', 'a\n').hunks;
  expect(hunk?.lines.map((line) => line.text)).toEqual(['a␍', 'a']);
});

test('two large texts with nothing in common end soon, in a coarse answer', () => {
  const before = Array.from({ length: 40_000 }, (_, i) => `a${(i * 7919) % 104_729}\n`).join('');
  const after = Array.from({ length: 40_000 }, (_, i) => `b${(i * 6007) % 104_729}\n`).join('');
  const started = performance.now();
  const diff = diffTexts(before, after);
  expect(performance.now() - started).toBeLessThan(5000);
  expect(diff).toMatchObject({ coarse: true, added: 40_000, removed: 40_000 });
  expect(diff.hunks[0]?.lines.length).toBe(4000);
});
