import { describe, expect, test } from 'vitest';
import { meaningOfKey, whenOf } from './keys.ts';

const PLAIN = {
  shiftKey: false,
  altKey: false,
  metaKey: false,
  ctrlKey: false,
  keyCode: 13,
  isComposing: false,
};
const enter = (part: Partial<typeof PLAIN> = {}) => ({ ...PLAIN, ...part, key: 'Enter' });

describe('keys of the composer', () => {
  test('enter sends, with and without ⌘ or Ctrl', () => {
    for (const press of [enter(), enter({ metaKey: true }), enter({ ctrlKey: true })]) {
      expect(meaningOfKey(press, false)).toBe('send');
      expect(meaningOfKey(press, true)).toBe('send');
    }
  });

  test('shift and alt break the line', () => {
    expect(meaningOfKey(enter({ shiftKey: true }), false)).toBe('newline');
    expect(meaningOfKey(enter({ altKey: true }), true)).toBe('newline');
  });

  test('nothing is taken while an input method composes, nor the enter that ends it in Safari', () => {
    expect(meaningOfKey(enter({ isComposing: true }), true)).toBe('ime');
    expect(meaningOfKey(enter({ keyCode: 229 }), true)).toBe('ime');
    expect(meaningOfKey({ ...PLAIN, key: 'Escape', isComposing: true }, true)).toBe('ime');
  });

  test('escape interrupts only what runs', () => {
    const press = { ...PLAIN, key: 'Escape', keyCode: 27 };
    expect(meaningOfKey(press, true)).toBe('interrupt');
    expect(meaningOfKey(press, false)).toBe('none');
  });
});

describe('when a prompt is sent', () => {
  test('at once when nothing runs, whatever was chosen', () => {
    expect(whenOf({ running: false, canSteer: true, followUp: 'queue' })).toBe('now');
  });

  test('as chosen while a turn runs', () => {
    expect(whenOf({ running: true, canSteer: true, followUp: 'steer' })).toBe('steer');
    expect(whenOf({ running: true, canSteer: true, followUp: 'queue' })).toBe('queue');
  });

  test('after the turn when the agent cannot be steered', () => {
    expect(whenOf({ running: true, canSteer: false, followUp: 'steer' })).toBe('queue');
  });
});
