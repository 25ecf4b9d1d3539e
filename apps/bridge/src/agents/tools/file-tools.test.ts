import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPlainGate, type PlainGate } from '../../../test/agents/plain-gate.ts';
import { LOOP_TOOLS } from './catalog.ts';
import { createReadTracker } from './read-tracker.ts';
import type { ToolContext, ToolOutcome } from './tool.ts';

let dir: string;
let gate: PlainGate;
let context: ToolContext;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'skein-tools-')));
  gate = openPlainGate(dir);
  context = {
    call: 'c1',
    cwd: dir,
    root: dir,
    gate,
    processes: { shell: () => Promise.reject(new Error('no shell here')) },
    signal: new AbortController().signal,
    reads: createReadTracker(),
    requireRead: true,
    shellTimeoutMs: 1000,
    onOutput: () => undefined,
  };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const put = (name: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), content);
};
const get = (name: string): string => readFileSync(join(dir, name), 'utf8');
const use = async (tool: string, input: unknown, rest: Partial<ToolContext> = {}): Promise<ToolOutcome> => {
  const prepared = await LOOP_TOOLS.find(({ name }) => name === tool)!.prepare(input, {
    ...context,
    ...rest,
  });
  return prepared.kind === 'refused' ? prepared.outcome : prepared.run();
};

test('read numbers lines and pages through a long file', async () => {
  put('a.txt', Array.from({ length: 2500 }, (_, n) => `line ${n + 1}`).join('\n'));
  const first = await use('read', { path: 'a.txt', limit: 3 });
  expect(first.output).toBe(
    '1\tline 1\n2\tline 2\n3\tline 3\n[lines 4 to 2500 not shown: go on with offset 4]',
  );
  const last = await use('read', { path: 'a.txt', offset: 2499 });
  expect(last.output).toBe('2499\tline 2499\n2500\tline 2500');
  expect((await use('read', { path: 'a.txt', offset: 9999 })).output).toBe('[the file has 2500 lines]');
});

test('read keeps its answer small, also with one enormous line', async () => {
  put('a.txt', `${'x'.repeat(500_000)}\n${'y\n'.repeat(50_000)}`);
  expect((await use('read', { path: 'a.txt' })).output.length).toBeLessThan(30_000);
});

test('read says what a file is that it cannot show', async () => {
  put('i.png', Buffer.from('89504e470d0a1a0a00', 'hex'));
  put('b.bin', Buffer.from([1, 0, 2]));
  put('l.txt', Buffer.from([0xe9, 0x20]));
  put('e.txt', '');
  expect((await use('read', { path: 'i.png' })).output).toContain('is an image (image/png');
  expect((await use('read', { path: 'b.bin' })).status).toBe('error');
  expect((await use('read', { path: 'l.txt' })).output).toContain('not UTF-8');
  expect((await use('read', { path: 'e.txt' })).output).toContain('is empty');
  expect((await use('read', { path: 'none' })).output).toBe('There is no file none.');
  expect((await use('read', { path: '.' })).status).toBe('error');
});

test('write creates, edit needs a read first, and its own write counts as one', async () => {
  expect((await use('write', { path: 'a/b.txt', content: 'one\n' })).output).toBe(
    'Created a/b.txt (1 line).',
  );
  expect((await use('edit', { path: 'a/b.txt', old_string: 'one', new_string: 'two' })).status).toBe('ok');
  put('c.txt', 'theirs');
  expect((await use('edit', { path: 'c.txt', old_string: 'theirs', new_string: 'x' })).output).toContain(
    'Read',
  );
  expect((await use('delete', { path: 'c.txt' })).output).toContain('first');
  expect([get('a/b.txt'), get('c.txt')]).toEqual(['two\n', 'theirs']);
});

test('a file that changed between the question and the answer is not written', async () => {
  put('a.txt', 'one');
  await use('read', { path: 'a.txt' });
  const tool = LOOP_TOOLS.find(({ name }) => name === 'edit')!;
  const prepared = await tool.prepare({ path: 'a.txt', old_string: 'one', new_string: 'two' }, context);
  put('a.txt', 'the user was faster: one');
  expect(prepared.kind === 'ready' && (await prepared.run()).status).toBe('error');
  expect(get('a.txt')).toBe('the user was faster: one');
});

test('multi_edit does all or nothing', async () => {
  put('a.txt', 'a b c');
  await use('read', { path: 'a.txt' });
  const edits = [
    { old_string: 'a', new_string: '1' },
    { old_string: 'z', new_string: '2' },
  ];
  const failed = await use('multi_edit', { path: 'a.txt', edits });
  expect(failed.output).toContain('edit 2 of 2: old_string was not found');
  expect(get('a.txt')).toBe('a b c');
  const done = await use('multi_edit', {
    path: 'a.txt',
    edits: [edits[0], { old_string: '1 b', new_string: 'x' }],
  });
  expect([done.output, get('a.txt')]).toEqual(['Changed a.txt (2 places).', 'x c']);
});

test('half a surrogate pair is refused instead of becoming something else', async () => {
  expect((await use('write', { path: 'a.txt', content: '\ud83d' })).status).toBe('error');
});

test('glob leaves out what git ignores, the nearest rule first', async () => {
  for (const name of ['src/a.ts', 'src/b.js', 'dist/a.ts', 'keep/dist/a.ts', 'x/deep/é.ts', '.git/a.ts'])
    put(name, '');
  put('.gitignore', 'dist\n*.log\n');
  put('keep/.gitignore', '!dist\n');
  put('keep/dist/x.log', '');
  expect((await use('glob', { pattern: '*.ts' })).output.split('\n')).toEqual([
    'keep/dist/a.ts',
    'src/a.ts',
    'x/deep/é.ts',
  ]);
  expect((await use('glob', { pattern: 'src/*.{ts,js}' })).output.split('\n')).toEqual([
    'src/a.ts',
    'src/b.js',
  ]);
  expect((await use('glob', { pattern: '**/*.ts', path: 'x' })).output).toBe('x/deep/é.ts');
  expect((await use('glob', { pattern: '*.md' })).output).toBe('No file matches.');
  expect((await use('glob', { pattern: '*', path: '..' })).output).toContain('outside the workspace');
});

test('glob follows no link and stops at its cap', async () => {
  symlinkSync('/', join(dir, 'root'));
  for (let n = 0; n < 520; n += 1) put(`f${n}`, '');
  const rows = (await use('glob', { pattern: 'f*' })).output.split('\n');
  expect(rows).toHaveLength(501);
  expect(rows.at(-1)).toContain('narrow');
});

test('grep answers path, line and text, and skips binaries', async () => {
  put('a.ts', 'one\ntwo Two\n');
  put('b.md', 'two\r\n');
  put('c.bin', Buffer.from([0, 116, 119, 111]));
  expect((await use('grep', { pattern: 'two' })).output).toBe('a.ts:2:two Two\nb.md:1:two');
  expect((await use('grep', { pattern: '^TWO$', ignore_case: true })).output).toBe('b.md:1:two');
  expect((await use('grep', { pattern: 'two', glob: '*.ts' })).output).toBe('a.ts:2:two Two');
  expect((await use('grep', { pattern: 'two', path: 'b.md' })).output).toBe('b.md:1:two');
  expect((await use('grep', { pattern: '(' })).output).toContain('not valid');
  expect((await use('grep', { pattern: 'x', path: 'nowhere' })).status).toBe('error');
});

test('a pattern that runs away is ended', async () => {
  put('a.txt', `${'a'.repeat(50_000)}!`);
  const started = Date.now();
  const result = await use('grep', { pattern: '^(a+)+$' });
  expect(result.output).toContain('takes too long');
  expect(Date.now() - started).toBeLessThan(15_000);
});

test('an interrupt ends a search', async () => {
  put('a.txt', 'x');
  const result = await use('grep', { pattern: 'x' }, { signal: AbortSignal.abort() });
  expect(result.status).toBe('interrupted');
});

test('input that does not fit is explained', async () => {
  expect((await use('read', { path: 7 })).output).toMatch(/does not fit: path: .*Correct it/);
  expect((await use('edit', null)).output).toContain('the whole:');
});
