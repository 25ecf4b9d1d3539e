import { expect, test } from 'vitest';
import { markdownBlocks } from './markdown-blocks.ts';

const LONG = 'It is about sessions and cookies. '.repeat(14).trim();

test('paragraphs are cut apart, and together they are the text', () => {
  const text = `${LONG}\n\n# Two\n\nthree`;
  expect(markdownBlocks(text)).toHaveLength(3);
  expect(markdownBlocks(text).join('\n')).toBe(text);
});

test('a fence with blank lines and a longer fence around it stay whole', () => {
  const text = `${LONG}\n\n\`\`\`\`md\na\n\n\`\`\`js\nb\n\`\`\`\n\nc\n\`\`\`\`\n\nafter`;
  expect(markdownBlocks(text)).toHaveLength(3);
});

test('a loose list stays one list', () => {
  const text = `${LONG}\n\n1. one\n\n   more\n\n2. two\n\nafter`;
  expect(markdownBlocks(text)).toHaveLength(3);
});

test('an open fence takes everything that follows', () => {
  expect(markdownBlocks(`${LONG}\n\n~~~\na\n\nb\n\nc`)).toHaveLength(2);
});

test('a text with links defined elsewhere is not cut', () => {
  expect(markdownBlocks(`${LONG}\n\nsee [docs]\n\n[docs]: https://x.example`)).toHaveLength(1);
});

test('blocks that are whole never change while the text grows', () => {
  const text = `${LONG}\n\n- a\n- b\n\n\`\`\`ts\nconst x = 1;\n\nconst y = 2;\n\`\`\`\n\n${LONG}\n\nend`;
  for (let end = 450; end < text.length; end += 7) {
    const now = markdownBlocks(text.slice(0, end));
    const later = markdownBlocks(text.slice(0, end + 7));
    expect(later.slice(0, now.length - 1)).toEqual(now.slice(0, -1));
  }
});
