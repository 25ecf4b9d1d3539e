import { expect, test } from 'vitest';
import { parseScript } from './statements.ts';

const one = (line: string): unknown => {
  const statement = parseScript(line)[0]!;
  return statement.kind === 'call' ? [statement.tool, statement.input] : Object.values(statement);
};

test.each([
  ['say  hello there ', ['say', 'hello there']],
  ['say " spaced\\n"', ['say', ' spaced\n']],
  ['say "a" and "b"', ['say', '"a" and "b"']],
  ['think hm', ['think', 'hm']],
  ['write a.txt some text', ['write', { path: 'a.txt', content: 'some text\n' }]],
  ['write a.txt "no newline"', ['write', { path: 'a.txt', content: 'no newline' }]],
  ['write "a b.txt" x', ['write', { path: 'a b.txt', content: 'x\n' }]],
  ['edit a.txt one => two', ['edit', { path: 'a.txt', old_string: 'one', new_string: 'two' }]],
  ['edit a.txt a => b => c', ['edit', { path: 'a.txt', old_string: 'a', new_string: 'b => c' }]],
  ['edit a.txt "a => b" => "c\\n"', ['edit', { path: 'a.txt', old_string: 'a => b', new_string: 'c\n' }]],
  ['edit a.txt gone =>', ['edit', { path: 'a.txt', old_string: 'gone', new_string: '' }]],
  ['rm a.txt', ['delete', { path: 'a.txt' }]],
  ['read "a b"', ['read', { path: 'a b' }]],
  ['sh echo "hi" && ls', ['bash', { command: 'echo "hi" && ls' }]],
  ['sh "sleep 1 & sleep 2"', ['bash', { command: 'sleep 1 & sleep 2' }]],
  ['sh --paths a.txt,b "rm a.txt"', ['bash', { command: 'rm a.txt', checkpoint_paths: ['a.txt', 'b'] }]],
  ['ask bash', ['ask', { tool: 'bash' }]],
  ['task do this', ['task', { prompt: 'do this' }]],
  ['tool grep {"pattern":"x"}', ['grep', { pattern: 'x' }]],
  ['tool grep {"pattern":', ['grep', '{"pattern":']],
  ['tool todo', ['todo', {}]],
  ['sleep 20', ['sleep', 20]],
  ['fail no more', ['fail', 'no more']],
  ['crash now', ['crash', 'now']],
])('%s', (line, expected) => {
  expect(one(line)).toEqual(expected);
});

test.each([
  'please write tests',
  'read me a story',
  'edit the file',
  'sleep well',
  'write',
  'rm',
  'constructor x',
  'say',
])('what does not fit is said: %s', (line) => {
  expect(one(line)).toEqual(['say', line === 'say' ? '' : line]);
});

test('empty lines are nothing, and both line ends are one', () => {
  expect(parseScript('say a\r\n\n  \nsay b')).toHaveLength(2);
});
