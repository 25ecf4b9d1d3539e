/** Search through the product's own command line, with and without a bridge. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSandbox, runCommand, type Sandbox } from './bridge-process.ts';

interface Hits {
  readonly total: number;
  readonly hits: readonly { readonly agent: string; readonly snippet: string; readonly strand: string }[];
}

const search = async (sandbox: Sandbox, ...query: readonly string[]): Promise<Hits> => {
  const { code, stdout, stderr } = await runCommand(sandbox, ['search', ...query, '--json']);
  expect(code, stdout + stderr).toBe(0);
  return JSON.parse(stdout) as Hits;
};

test('what was said here and in other agents is found, and a lost index is made anew', async () => {
  using sandbox = makeSandbox();
  const projects = join(sandbox.env['HOME'] ?? '', '.claude', 'projects', '-srv');
  mkdirSync(projects, { recursive: true });
  writeFileSync(
    join(projects, 'one.jsonl'),
    `${JSON.stringify({ type: 'user', uuid: 'u1', parentUuid: null, sessionId: 's', cwd: '/srv', timestamp: '2026-01-05T10:00:00.000Z', message: { role: 'user', content: 'why does getUserById throw' } })}\n`,
  );
  const run = await runCommand(sandbox, [
    'run',
    '--agent',
    'script',
    '--json',
    'say The userById lookup is fine.',
  ]);
  expect(run.code, run.stderr).toBe(0);
  const found = await search(sandbox, 'userbyid');
  expect([...new Set(found.hits.map(({ agent }) => agent))].toSorted()).toEqual(['claude-code', 'skein']);
  expect((await search(sandbox, 'userbyid', '--agent', 'claude-code')).hits[0]?.snippet).toContain(
    'getUserById',
  );
  writeFileSync(join(sandbox.dataDir, 'index.sqlite'), 'damaged');
  expect((await search(sandbox, 'throw')).total).toBe(1);
  const nothing = await runCommand(sandbox, ['search', 'nowhere']);
  expect([nothing.code, nothing.stdout]).toEqual([0, '']);
});
