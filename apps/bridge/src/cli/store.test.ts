import type { StoreUsage } from '@skein/core/protocol/store';
import { expect, test } from 'vitest';
import { runInTest, type SomeFlows } from './testing/run-in-test.ts';

const USAGE: StoreUsage = {
  stores: [
    {
      key: 'k1',
      workspace: '/srv/app',
      kind: 'git',
      bytes: 5 * 1024 ** 2,
      turns: 12,
      lastUsedAt: '2026-01-02T03:00:00.000Z',
      gone: false,
    },
    {
      key: 'k2',
      workspace: null,
      kind: 'folder',
      bytes: 10,
      turns: 0,
      lastUsedAt: null,
      gone: false,
    },
    {
      key: 'k3',
      workspace: '/srv/ev\u001b[2Jil',
      kind: 'folder',
      bytes: 10,
      turns: 0,
      lastUsedAt: null,
      gone: true,
    },
  ],
  blobs: 2048,
  journals: 100,
  trash: 0,
  total: 5 * 1024 ** 2 + 2168,
  retentionDays: 7,
  maxBytes: 10 * 1024 ** 3,
};

const answering = () => {
  const purged: (string | undefined)[] = [];
  const flows: SomeFlows = {
    store: {
      usage: async () => USAGE,
      gc: async () => ({ freed: 1536, expired: 1, inUse: 2 }),
      purge: async ({ key }) => {
        purged.push(key);
        return { freed: 4096, expired: 3, inUse: 0 };
      },
    },
  };
  return { flows, purged };
};

test.each([[['store', 'du']], [['store']]])(
  '%j lists every store, the shared parts and the total',
  async (argv) => {
    const { stdout, stderr, code } = await runInTest(argv, answering());
    expect(code).toBe(0);
    expect(stdout.split('\n').map((text) => text.trimEnd())).toEqual([
      '  SIZE  TURNS  WHAT',
      '5.0 MB     12  /srv/app',
      '  10 B      0  store k2',
      '  10 B      0  /srv/ev␛[2Jil (gone)',
      '2.0 KB         versions saved by tools, all folders',
      ' 100 B         journals of turns',
      '   0 B         trash',
      '5.0 MB         total',
      '',
    ]);
    expect(stderr).toMatch(/Kept 7 days after.*at most 10 GB.*secrets included/);
  },
);

test('--json is the usage as it is', async () => {
  expect((await runInTest(['store', 'du', '--json'], answering())).json()).toEqual(USAGE);
});

test('gc says what came free and what was left alone', async () => {
  const run = await runInTest(['store', 'gc'], answering());
  expect(run).toMatchObject({ code: 0, stdout: '1.5 KB came free; 1 turn can no longer be undone.\n' });
  expect(run.stderr).toMatch(/2 sessions/);
  const json = await runInTest(['store', 'gc', '--json'], answering());
  expect(json.json()).toEqual({ freed: 1536, expired: 1, inUse: 2 });
});

test('without a terminal a purge needs --yes', async () => {
  const given = answering();
  const refused = await runInTest(['store', 'purge'], given);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/--yes/);
  expect(given.purged).toEqual([]);
  expect((await runInTest(['store', 'purge', '--yes'], given)).code).toBe(0);
  expect(given.purged).toEqual([undefined]);
});

test.each<[string, boolean]>([
  ['y', true],
  ['YES', true],
  ['n', false],
  ['', false],
  ['yesterday', false],
])('at a terminal a purge asks; the answer %j purges: %s', async (answer, isPurged) => {
  const given = answering();
  const run = await runInTest(['store', 'purge'], { ...given, env: { stdinIsTty: true }, answers: [answer] });
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/for good.*Go on\?/s);
  expect(given.purged).toHaveLength(isPurged ? 1 : 0);
});

test('an end of input at the question purges nothing', async () => {
  const given = answering();
  const run = await runInTest(['store', 'purge', '--json'], { ...given, env: { stdinIsTty: true } });
  expect(run.json()).toEqual({ freed: 0, expired: 0 });
  expect(given.purged).toEqual([]);
});

test.each([
  ['k2', 'k2'],
  ['/srv/app', 'k1'],
  ['/srv/app/', 'k1'],
  ['unknown', 'unknown'],
])('--workspace %s is the store %s', async (wanted, key) => {
  const given = answering();
  await runInTest(['store', 'purge', '--yes', '--workspace', wanted], given);
  expect(given.purged).toEqual([key]);
});

test('help says that saved versions hold secrets in plain text', async () => {
  for (const argv of [['store'], ['store', 'du'], ['store', 'purge']]) {
    expect((await runInTest([...argv, '--help'])).stdout).toMatch(/secrets included.*not encrypted/s);
  }
});
