import { expect, test } from 'vitest';
import { SHELLS } from './completion-scripts.ts';
import { aSummary } from './testing/a-summary.ts';
import { runInTest, type SomeFlows } from './testing/run-in-test.ts';

const store = { key: 'k1', kind: 'git' as const, bytes: 1, turns: 0, lastUsedAt: null, gone: false };
const flows: SomeFlows = {
  store: {
    usage: async () => ({
      stores: [{ ...store, workspace: '/srv/app' }],
      blobs: 0,
      journals: 0,
      trash: 0,
      total: 1,
      retentionDays: 7,
      maxBytes: 1,
    }),
  },
  strands: {
    list: async () => ({
      items: [aSummary({ name: 'login' }), aSummary({ title: 'a\tb\n\u001b' })],
      next: null,
      total: 2,
    }),
  },
};
const after = async (...words: string[]): Promise<string[]> => {
  const { stdout } = await runInTest(['completion', 'words', '--', ...words], { flows });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((row) => row.split('\t')[0] ?? '');
};

test('commands, options, choices, sessions and settings are completed', async () => {
  expect(await after('un')).toEqual(['undo']);
  expect(await after('undo', '--s')).toEqual(['--scope']);
  expect(await after('undo', '--scope', '')).toEqual(['files', 'chat', 'both']);
  expect(await after('run', '--mode', 'a')).toEqual(['ask', 'auto']);
  expect(await after('show', 'lo')).toEqual(['login']);
  expect(await after('run', '-s', '')).toEqual(['latest', 'login', 'a1b2c3d4']);
  expect(await after('config', '')).toEqual(['get', 'set', 'unset']);
  expect(await after('store', '')).toEqual(['du', 'gc', 'purge']);
  expect(await after('store', 'purge', '--')).toEqual(expect.arrayContaining(['--workspace', '--yes']));
  expect(await after('store', 'purge', '--workspace', '/srv')).toEqual(['/srv/app']);
  expect(await after('config', 'get', 'mo')).toEqual(['model', 'mode']);
  expect(await after('run', '--cwd', '')).toEqual([]);
});

test('a candidate is one line, whatever its title holds', async () => {
  const { stdout } = await runInTest(['completion', 'words', '--', 'show', 'a1'], { flows });
  expect(stdout).toBe('a1b2c3d4\ta␉b␊␛\n');
});

test('each shell gets its script, the login shell by default', async () => {
  for (const shell of SHELLS) {
    const { code, stdout } = await runInTest(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/skein completion words --/);
  }
  expect((await runInTest(['completion'])).stdout).toMatch(/for bash/);
  expect((await runInTest(['completion'], { env: { shell: '/bin/tcsh' } })).code).toBe(2);
});
