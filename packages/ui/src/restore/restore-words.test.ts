import type { RestoreResult } from '@skein/core/protocol/restore';
import { expect, test } from 'vitest';
import { applyWords, summaryWords } from './restore-words.ts';

const result = (more: Partial<RestoreResult>): RestoreResult => ({
  applied: false,
  plan: 'p',
  direction: 'undo',
  turns: ['r00000000002' as RestoreResult['turns'][number]],
  scope: 'both',
  files: [],
  conflicts: [],
  unattributed: [],
  unrestored: [],
  ...more,
});
/** `then` is what the protocol calls it. */
const texts = (now: string | null) =>
  Object.fromEntries([
    ['now', now],
    ['then', now],
  ]) as { now: string | null; then: string | null };
const file = (action: RestoreResult['files'][number]['action']) => ({
  path: `${action}.ts`,
  action,
  hunks: [],
  laterTurns: [],
  ...texts(null),
  binary: false,
});

test('the summary says what happens to files and conversation', () => {
  const preview = result({ files: [file('write'), file('nothing')] });
  expect(summaryWords(preview, 'undo')).toBe(
    '1 file will change; 1 turn leaves the conversation and your prompt returns to the composer. You can redo it.',
  );
  expect(summaryWords(result({ scope: 'chat' }), 'redo')).toBe(
    'No file is touched; 1 turn comes back into the conversation. You can undo it again.',
  );
});

test('with a conflict nothing will be written, and that is what it says', () => {
  const preview = result({
    conflicts: [{ path: 'a', reason: 'changed_since', ...texts(''), base: null, markers: null, choices: [] }],
  });
  expect(summaryWords(preview, 'undo')).toContain('nothing is written before you choose');
});

test('the button names how many files it writes', () => {
  expect(
    applyWords('undo', result({ files: [file('write'), file('delete'), file('nothing')] }), 'both'),
  ).toBe('Undo 2 files');
  expect(applyWords('redo', result({ files: [file('write')] }), 'chat')).toBe('Redo');
  expect(applyWords('undo', null, 'both')).toBe('Undo');
});
