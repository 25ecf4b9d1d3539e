import { expect, test } from 'vitest';
import { liveToolLine, toolEdit, toolLine } from './tool-line.ts';

test.each([
  ['read', { path: 'src/a.ts' }, 'read', 'src/a.ts'],
  ['Bash', { command: 'ls\n  -la' }, 'run', 'ls -la'],
  ['shell', { command: ['git', 'status'] }, 'run', 'git status'],
  ['grep', { pattern: 'TODO', path: 'src' }, 'search', 'TODO in src'],
  ['mcp__github__create_issue', { title: 'Bug' }, 'github create_issue', 'Bug'],
  ['todo', { todos: [{ status: 'completed' }, { status: 'pending' }] }, 'plan', '1 of 2 done'],
  ['weird', { a: 1 }, 'weird', '{"a":1}'],
  ['weird', null, 'weird', ''],
  ['constructor', {}, 'constructor', ''],
  ['__proto__', 'text', '__proto__', 'text'],
])('%s reads as one line', (name, input, verb, target) => {
  expect(toolLine(name, input)).toEqual({ verb, target });
});

test('a target of a megabyte is one short line', () => {
  const { target } = toolLine('bash', { command: 'x\n'.repeat(500_000) });
  expect(target.length).toBeLessThanOrEqual(400);
});

test('an input that is still streaming already tells its target', () => {
  expect(liveToolLine('write', '{"path":"src/\\u0061.ts","content":"lo')).toEqual({
    verb: 'write',
    target: 'src/a.ts',
  });
  expect(liveToolLine('write', '{"pa')).toEqual({ verb: 'write', target: '' });
});

test('what a call writes is read from its input, in the words of several agents', () => {
  expect(toolEdit('write', { path: 'a', content: 'x' })).toEqual({
    path: 'a',
    changes: [{ before: null, after: 'x' }],
  });
  expect(toolEdit('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' })?.changes).toEqual([
    { before: 'x', after: 'y' },
  ]);
  expect(
    toolEdit('multi_edit', { path: 'a', edits: [{ old: '1', new: '2' }, { old: '3', new: '4' }, 7] })
      ?.changes,
  ).toHaveLength(2);
  expect(toolEdit('bash', { command: 'x' })).toBeNull();
  expect(toolEdit('edit', { path: 'a' })).toBeNull();
});
