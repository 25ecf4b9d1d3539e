import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { demoFiles } from './project.ts';
import { demoPrompts } from './session.ts';

const run = promisify(execFile);

/** As much of the script language as the demo uses. Answers whether the last test run passed. */
const play = async (dir: string, prompt: string): Promise<'passed' | 'failed' | 'not run'> => {
  const [, ...statements] = prompt.split('\n');
  let tests: 'passed' | 'failed' | 'not run' = 'not run';
  for (const statement of statements) {
    const [, word = '', rest = ''] = /^(\S+) (.*)$/.exec(statement) ?? [];
    const [, name = '', text = ''] = /^(\S+) ?(.*)$/.exec(rest) ?? [];
    const file = path.join(dir, name);
    if (word === 'say' || word === 'think') expect(typeof JSON.parse(rest)).toBe('string');
    else if (word === 'read') await readFile(file);
    else if (word === 'write') await put(file, JSON.parse(text));
    else if (word === 'rm') await rm(file);
    else if (word === 'edit') {
      const [before = '', after = '', ...more] = text.split(' => ').map((json): string => JSON.parse(json));
      const pieces = (await readFile(file, 'utf8')).split(before);
      expect([name, pieces.length, more]).toEqual([name, 2, []]);
      await writeFile(file, pieces.join(after));
    } else if (word === 'sh') {
      const passed = await shell(dir, rest);
      if (rest.startsWith('node --test')) tests = passed ? 'passed' : 'failed';
      else expect(passed, rest).toBe(true);
    } else expect(word).toBe('sleep');
  }
  return tests;
};

const put = async (file: string, text: string): Promise<void> => {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
};

const shell = (dir: string, command: string): Promise<boolean> => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return run('sh', ['-c', command], { cwd: dir, env }).then(
    () => true,
    () => false,
  );
};

const newProject = async (): Promise<string> => {
  const dir = await mkdtemp(path.join(tmpdir(), 'skein-demo-'));
  for (const { path: name, text } of demoFiles) await put(path.join(dir, name), text);
  return dir;
};

test('every statement of the demo applies, and the tests pass and fail as its agent tells', async () => {
  const dir = await newProject();

  const results = [];
  for (const prompt of demoPrompts) results.push(await play(dir, prompt));

  expect(results).toEqual(['passed', 'passed', 'failed', 'passed', 'passed', 'passed']);
  await rm(dir, { recursive: true });
});

test('no prompt begins with a word of the script language: its first line is what the user reads', () => {
  const words = [
    'say',
    'think',
    'write',
    'edit',
    'rm',
    'sh',
    'read',
    'ask',
    'task',
    'sleep',
    'fail',
    'crash',
    'tool',
  ];
  for (const prompt of demoPrompts) {
    const [first = ''] = prompt.split(/[ \n]/);
    expect(words).not.toContain(first.toLowerCase());
    expect(prompt.split('\n')[0]?.length).toBeLessThanOrEqual(80);
  }
});
