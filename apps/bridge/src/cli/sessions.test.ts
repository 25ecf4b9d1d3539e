import type { ForeignSession } from '@skein/core/protocol/history';
import { strandIdSchema } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { aSummary } from './testing/a-summary.ts';
import { runInTest, type SomeFlows } from './testing/run-in-test.ts';

const aSession = (id: string, more: Partial<ForeignSession> = {}): ForeignSession => ({
  id: strandIdSchema.parse(id),
  agent: 'codex',
  path: '/srv/x.jsonl',
  title: 'Fix it',
  cwd: '/srv/app',
  startedAt: null,
  updatedAt: '2026-01-02T03:00:00.000Z',
  prompts: 3,
  messages: 9,
  model: null,
  tokens: null,
  cost: null,
  sizeBytes: 2048,
  parent: null,
  problems: 0,
  unknown: 0,
  kept: false,
  gone: false,
  ...more,
});
const [ONE, TWO] = [
  aSession('aaaa00000001'),
  aSession('aaaa00000002', { gone: true, title: 'ev\u001b[2Jil' }),
];

const flowsOf = () => {
  const asked: unknown[] = [];
  const list = { items: [ONE, TWO], next: null, total: 2, agents: [], notices: ['A folder was closed.'] };
  const flows: SomeFlows = {
    history: {
      async list(input) {
        asked.push(input);
        return list;
      },
      async continue(input) {
        asked.push(input);
        return aSummary({ id: strandIdSchema.parse('bbbb00000001'), cwd: '/srv/app', turns: 3 });
      },
      async restoreFromVault(input) {
        asked.push(input);
        return { path: '/srv/x.jsonl', bytes: 5 };
      },
    },
  };
  return { flows, asked };
};

test('sessions are a table, in which nothing of theirs moves the cursor', async () => {
  const { flows } = flowsOf();
  const { code, stdout, stderr } = await runInTest(['sessions'], { flows });
  expect(code).toBe(0);
  expect(stdout).toContain('aaaa0000');
  expect(stdout).toContain('(gone)');
  expect(stdout).not.toContain('\u001b[2J');
  expect(stderr).toContain('A folder was closed.');
});

test('a filter is handed on, the folder as an absolute path, and --json is the list', async () => {
  const { flows, asked } = flowsOf();
  const argv = ['sessions', '--agent', 'codex', '--in', '/srv/app', '--gone', '--json'];
  const { stdout } = await runInTest(argv, { flows });
  expect(asked).toMatchObject([{ agent: 'codex', cwd: '/srv/app', gone: true }]);
  expect(JSON.parse(stdout)).toHaveLength(2);
  expect((await runInTest(['sessions', '--agent', 'nobody'], { flows })).code).toBe(2);
});

test('the start of an id is enough where it is unique, to continue and to restore', async () => {
  const { flows, asked } = flowsOf();
  const { code, stdout } = await runInTest(['continue', 'AAAA00000001', '--agent', 'script', '--json'], {
    flows,
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ strand: 'bbbb00000001', from: ONE?.id });
  expect(asked.at(-1)).toMatchObject({ session: ONE?.id, agent: 'script' });
  expect((await runInTest(['continue', 'aaaa'], { flows })).code).toBe(2);
  expect((await runInTest(['continue', 'ffff'], { flows })).code).toBe(1);
  await runInTest(['vault', 'restore', 'aaaa00000002', '--to', '/srv/copy'], { flows });
  expect(asked.at(-1)).toEqual({ session: TWO?.id, to: '/srv/copy' });
});
