import { describe, expect, test } from 'vitest';
import { completeMention, mentionAt, mentionsIn, removeMention } from './mention-token.ts';

const at = (text: string) => mentionAt(text, text.length);

describe('the mention at the caret', () => {
  test('begins at the start, after a space, a line break or a bracket', () => {
    expect(at('@')).toEqual({ start: 0, query: '' });
    expect(at('look at @src/ap')).toEqual({ start: 8, query: 'src/ap' });
    expect(at('one\n@two')).toEqual({ start: 4, query: 'two' });
    expect(at('(@a')).toEqual({ start: 1, query: 'a' });
  });

  test('an address, a space after it and a plain word are none', () => {
    expect(at('me@example.org')).toBeNull();
    expect(at('@src/a.ts ')).toBeNull();
    expect(at('word')).toBeNull();
  });

  test('only what is before the caret counts', () => {
    expect(mentionAt('@src/app.ts', 4)).toEqual({ start: 0, query: 'src' });
  });

  test('the longest query is still found, a longer one is none', () => {
    const text = `see @${'a'.repeat(200)}`;
    expect(at(text)).toEqual({ start: 4, query: 'a'.repeat(200) });
    expect(at(`${text}a`)).toBeNull();
  });

  test('is found at the end of a very long text', () => {
    expect(at(`${'x '.repeat(200_000)}@end`)).toEqual({ start: 400_000, query: 'end' });
  });
});

describe('completing a mention', () => {
  test('puts the path and one space in, and the caret after them', () => {
    const token = { start: 4, query: 'ap' };
    expect(completeMention('see @ap', token, 'src/app.ts')).toEqual({ text: 'see @src/app.ts ', caret: 16 });
    expect(completeMention('see @ap now', token, 'src/app.ts').text).toBe('see @src/app.ts now');
  });
});

describe('mentions of a text', () => {
  test('are the chosen paths that it still names, once each', () => {
    expect(mentionsIn('@b and @a.', ['a', 'b', 'a', 'gone'])).toEqual(['a', 'b']);
  });

  test('a longer path is another path', () => {
    expect(mentionsIn('@src/app.tsx @src/b.ts.map', ['src/app.ts', 'src/b.ts'])).toEqual([]);
    expect(mentionsIn('@src/app.tsx, then @src/app.ts!', ['src/app.ts'])).toEqual(['src/app.ts']);
  });

  test('removing one leaves the others and the words around it', () => {
    expect(removeMention('see @a.ts and @a.tsx', 'a.ts')).toBe('see and @a.tsx');
    expect(removeMention('@a @b @a', 'a')).toBe('@b ');
  });
});
