import { expect, test } from 'vitest';
import { type KeyPress, keysLabel, matches } from './keys.ts';

const press = (more: Partial<KeyPress>): KeyPress => ({
  code: '',
  key: '',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...more,
});

test('⌥T is known by its place, whatever letter the layout makes of it', () => {
  expect(matches('alt+KeyT', press({ code: 'KeyT', key: '†', altKey: true }), true)).toBe(true);
  expect(matches('alt+KeyT', press({ code: 'KeyT', key: 'T', altKey: true, shiftKey: true }), true)).toBe(
    false,
  );
});

test('the command key is ⌘ on a Mac and Ctrl elsewhere', () => {
  expect(matches('mod+KeyK', press({ code: 'KeyK', metaKey: true }), true)).toBe(true);
  expect(matches('mod+KeyK', press({ code: 'KeyK', ctrlKey: true }), true)).toBe(false);
  expect(matches('mod+KeyK', press({ code: 'KeyK', ctrlKey: true }), false)).toBe(true);
});

test('labels follow the machine', () => {
  expect([keysLabel('alt+shift+KeyT', true), keysLabel('alt+shift+KeyT', false)]).toEqual([
    '⌥⇧T',
    'Alt+Shift+T',
  ]);
  expect([keysLabel('mod+Comma', true), keysLabel('Question', false)]).toEqual(['⌘,', '?']);
});
