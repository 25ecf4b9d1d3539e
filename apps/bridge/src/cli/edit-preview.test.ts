import { expect, test } from 'vitest';
import { editPreview } from './edit-preview.ts';
import { createOutput } from './output.ts';

const ports = { stdout: { write: () => undefined }, stderr: { write: () => undefined } };
const out = createOutput(
  ports,
  {
    cwd: '/',
    stdinIsTty: true,
    stdoutIsTty: false,
    stderrIsTty: false,
    columns: 80,
    color: null,
    terminal: null,
    dataDir: '/',
    shell: null,
    agent: null,
  },
  false,
);
const preview = (before: string | null, after: string | null): string[] =>
  editPreview({ before, after }, out).map(({ text }) => text);

test('an edit is shown as the lines that change, harmless', () => {
  expect(preview('a\nb\nc\nd\ne\n', 'a\nb\nX\u001b\nd\ne\n')).toEqual([
    '   a',
    '   b',
    '  -c',
    '  +X␛',
    '   d',
    '   e',
  ]);
  expect(preview(null, 'new\n')).toEqual(['  +new']);
  expect(preview(null, null)).toEqual([]);
});

test('a long edit is cut, and how much is missing is told', () => {
  const rows = preview(null, 'x\n'.repeat(100));
  expect(rows).toHaveLength(41);
  expect(rows.at(-1)).toBe('  … 60 more lines');
});
