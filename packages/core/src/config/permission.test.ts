import { expect, test } from 'vitest';
import { matchesGlob } from './glob.ts';
import { decide, type PermissionQuery, targetOf } from './permission.ts';
import { parseRule, ruleFor } from './permission-rule.ts';
import { relativeTo } from './relative-path.ts';

const bash = (command: string) => ({ tool: 'bash', input: { command }, readOnlyTool: false });
const edit = (path: string, tool = 'edit') => ({ tool, input: { path }, readOnlyTool: false });
const read = { tool: 'read', input: { path: 'a' }, readOnlyTool: true };
const verdict = (
  call: Pick<PermissionQuery, 'tool' | 'input' | 'readOnlyTool'>,
  more: Partial<PermissionQuery> = {},
) => decide({ mode: 'ask', rules: { allow: [], deny: [] }, root: '/w', cwd: '/w', ...call, ...more });
const withRules = (allow: string[], deny: string[] = []) => ({ rules: { allow, deny } });

test.each([
  ['ask', 'allow', 'ask', 'ask', 'ask'],
  ['edits', 'allow', 'allow', 'ask', 'ask'],
  ['plan', 'allow', 'deny', 'deny', 'deny'],
  ['auto', 'allow', 'allow', 'allow', 'allow'],
] as const)(
  'mode %s: reading %s, an edit inside %s, an edit outside %s, a command %s',
  (mode, ...expected) => {
    const calls = [read, edit('src/a.ts'), edit('../b'), bash('ls')];
    expect(calls.map((call) => verdict(call, { mode }).decision)).toEqual(expected);
  },
);

test('plan mode tells the model what to do instead, and no rule opens it', () => {
  const denied = verdict(bash('ls'), { mode: 'plan', ...withRules(['bash']) });
  expect(denied).toMatchObject({ decision: 'deny', by: 'mode' });
  expect(denied.decision === 'deny' && denied.message).toContain('Plan mode');
});

test('deny beats allow and every mode, and names its rule', () => {
  const rules = withRules(['bash(rm*)'], ['bash(rm*)', 'read(.env)']);
  expect(verdict(bash('rm a'), { mode: 'auto', ...rules })).toMatchObject({
    decision: 'deny',
    by: 'rule',
    rule: 'bash(rm*)',
  });
  expect(verdict({ ...read, input: { path: '/w/.env' } }, rules).decision).toBe('deny');
});

test.each([
  ['npm test', true],
  ['npm test -- --watch', true],
  ['  npm test  ', true],
  ['npm install', false],
  ['npm test; rm -rf ~', false],
  ['npm test && rm x', false],
  ['npm test | sh', false],
  ['npm test & rm x', false],
  ['npm test `id`', false],
  ['npm test $(id)', false],
  ['npm test > ~/.bashrc', false],
  ['npm test < x', false],
  ['npm test\nrm x', false],
  ['npm test\rrm x', false],
])('the rule bash(npm test*) on %j: %s', (command, allowed) => {
  expect(verdict(bash(command), withRules(['bash(npm test*)'])).decision).toBe(allowed ? 'allow' : 'ask');
});

test('a command with shell syntax is allowed by its own exact rule only', () => {
  const command = 'npm test | tee log';
  const rule = ruleFor(targetOf({ tool: 'bash', input: { command } }));
  expect(rule).toBe(`bash(${command})`);
  expect(verdict(bash(command), withRules([rule])).decision).toBe('allow');
  expect(verdict(bash(`${command}2`), withRules([rule])).decision).toBe('ask');
});

test('the rule that "always" saves never allows another command', () => {
  for (const command of ['rm *', 'ls \\*', 'echo (a)', 'npm test', '*']) {
    const rules = withRules([ruleFor(targetOf({ tool: 'bash', input: { command } }))]);
    expect(verdict(bash(command), rules).decision, command).toBe('allow');
    expect(verdict(bash(`${command.slice(0, -1)}other`), rules).decision, command).toBe('ask');
  }
});

test('the rule that "always" saves for a file is that file, for other tools the tool', () => {
  const target = targetOf({ tool: 'edit', input: { path: 'app/[id]/*.ts' }, root: '/w', cwd: '/w' });
  expect(ruleFor(target)).toBe('edit(app/[id]/\\*.ts)');
  expect(verdict(edit('app/[id]/*.ts'), withRules([ruleFor(target)])).decision).toBe('allow');
  expect(verdict(edit('app/[id]/x.ts'), withRules([ruleFor(target)])).decision).toBe('ask');
  expect(ruleFor({ tool: 'task', command: null, path: null })).toBe('task');
});

test('a deny rule also finds its command inside another', () => {
  for (const command of ['cd x && rm -rf y', 'ls; rm a', 'echo $(rm a)', '(rm a)', 'ls | rm a']) {
    expect(verdict(bash(command), { mode: 'auto', ...withRules([], ['bash(rm *)']) }).decision, command).toBe(
      'deny',
    );
  }
  expect(verdict(bash('echo rm'), { mode: 'auto', ...withRules([], ['bash(rm *)']) }).decision).toBe('allow');
});

test('a rule is for one tool, and a file rule sees the path from the root', () => {
  const rules = withRules(['edit(src/**)']);
  expect(verdict(edit('a.ts'), { ...rules, cwd: '/w/src' }).decision).toBe('allow');
  expect(verdict(edit('/w/src/deep/a.ts'), rules).decision).toBe('allow');
  expect(verdict(edit('src/../b.ts'), rules).decision).toBe('ask');
  expect(verdict(edit('/etc/src/a'), rules).decision).toBe('ask');
  expect(verdict(edit('src/a.ts', 'delete'), rules).decision).toBe('ask');
});

test('a call without a readable input is never more than its tool', () => {
  for (const input of [null, 'x', [], { path: 3 }, { command: {} }]) {
    expect(verdict({ tool: 'edit', input, readOnlyTool: false }, { mode: 'edits' }).decision).toBe('ask');
  }
});

test.each([
  ['src/**', 'src/a/b.ts', true],
  ['src/*', 'src/a/b.ts', false],
  ['src/*.ts', 'src/a.ts', true],
  ['**/*.md', 'README.md', true],
  ['**/*.md', 'a/b/c.md', true],
  ['a/**/z', 'a/z', true],
  ['a/**/z', 'a/b/c/z', true],
  ['a/**/z', 'abz', false],
  ['?.ts', 'a.ts', true],
  ['?.ts', '/.ts', false],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['', '', true],
  ['*', '', true],
  ['*', 'a/b', false],
  ['**', 'a/b', true],
  ['[id]', '[id]', true],
  ['*a*a*a*a*a*a*a*a*b', 'a'.repeat(2000), false],
])('glob %j on %j: %s', (pattern, path, matches) => {
  expect(matchesGlob(pattern, path)).toBe(matches);
});

test.each([
  ['a/b', 'a/b'],
  ['/w/p/a', 'a'],
  ['./a//b/.', 'a/b'],
  ['x/../a', 'a'],
  ['..', null],
  ['.', null],
  ['/w/pa', null],
  ['../../w/p/a', 'a'],
  ['', null],
  ['a\\b', 'a\\b'],
])('the path %j from the root is %j', (path, expected) => {
  expect(relativeTo(path, { root: '/w/p', cwd: '/w/p' })).toBe(expected);
});

test('paths of Windows are read with both kinds of slash', () => {
  const windows = { root: 'C:\\w', cwd: 'C:\\w\\p' };
  expect(relativeTo('a\\b.ts', windows)).toBe('p/a/b.ts');
  expect(relativeTo('D:\\x', windows)).toBeNull();
});

test('rules are read as they are written', () => {
  expect(parseRule('bash')).toEqual({ tool: 'bash', pattern: null });
  expect(parseRule('bash(echo (x))')).toEqual({ tool: 'bash', pattern: 'echo (x)' });
  expect(parseRule('bash(open')).toEqual({ tool: 'bash(open', pattern: null });
});
