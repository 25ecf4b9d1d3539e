import { expect, test } from 'vitest';
import { keysLabel } from './keys-label.ts';

test.each([
  ['⌘⇧Z', 'Ctrl+Shift+Z'],
  ['⌥W', 'Alt+W'],
  ['⇧⏎', 'Shift+⏎'],
  ['⌘⏎', 'Ctrl+⏎'],
  ['esc', 'esc'],
  ['Ctrl+K', 'Ctrl+K'],
])('%s is %s without a Mac', (keys, label) => {
  expect(keysLabel(keys, false)).toBe(label);
  expect(keysLabel(keys, true)).toBe(keys);
});
