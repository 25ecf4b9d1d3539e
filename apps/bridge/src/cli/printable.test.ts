import { expect, test } from 'vitest';
import { harmless, harmlessLine, line, styled, words } from './printable.ts';

const isUnsafe = (mark: string): boolean =>
  /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(mark) && !'\n\t'.includes(mark);

const ESC = '\u001b';

test('no text of others can write a control character to the terminal, however it is cut into pieces', () => {
  const attacks = [
    `${ESC}]0;owned\u0007`,
    `${ESC}]52;c;cm0gLXJm\u0007`,
    `${ESC}[2J${ESC}[H`,
    '\u009b2J',
    'rm -rf ~\rls        ',
    'a\u0008\u0008b',
    '\u202etxt.exe',
    `${ESC}[8mhidden${ESC}[0m`,
    '\u0090q\u009c',
  ];
  for (const attack of attacks) {
    for (const piece of [attack, ...attack]) {
      expect([...harmless(piece)].filter(isUnsafe)).toEqual([]);
      expect(harmlessLine(piece)).not.toMatch(/[\n\t]/);
    }
  }
});

test('ordinary text of any language stays as it is', () => {
  const text = 'naïve Ωmega 漢字 👩‍👩‍👧 עברית\n\tindented';
  expect(harmless(text)).toBe(text);
  expect(harmless('one\r\ntwo')).toBe('one\ntwo');
});

test('a template makes every value harmless and keeps its own styles', () => {
  const name = `${ESC}[31mevil\nname`;
  expect(line`<${name}>`.text).toBe('<␛[31mevil␊name>');
  expect(line`${styled(words('ok'), 32, 39)} ${1}`).toMatchObject({
    text: `${ESC}[32mok${ESC}[39m 1`,
    width: 4,
  });
});

test('wide characters count two columns and marks none', () => {
  expect(words('漢字').width).toBe(4);
  expect(words('e\u0301').width).toBe(1);
});
