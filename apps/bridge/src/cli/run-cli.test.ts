import { BridgeError, type ErrorCode } from '@skein/core/protocol/errors';
import { describe, expect, test } from 'vitest';
import { aSummary } from './testing/a-summary.ts';
import { runInTest } from './testing/run-in-test.ts';

const failing = (code: ErrorCode, message = 'It went wrong.') => ({
  strands: {
    resolve: () => Promise.reject(new BridgeError(code, message, { data: { candidates: ['a1'] } })),
  },
});

describe('usage', () => {
  test('an unknown command is a usage error on stderr', async () => {
    const { code, stdout, stderr } = await runInTest(['strnds']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/Unknown command 'strnds'.*Did you mean strands\?/s);
  });

  test.each([
    [['run']],
    [['run', '--mode', 'wild', 'x']],
    [['undo', '--scope', 'all']],
    [['strands', '--limit', '0']],
    [['up', '--port', '70000']],
    [['show', 'a', 'b']],
    [['--nope']],
    [['config']],
  ])('%j is a usage error', async (argv) => {
    expect((await runInTest(argv)).code).toBe(2);
  });

  test('with --json a usage error is one JSON value on stdout', async () => {
    const run = await runInTest(['undo', '--scope', 'all', '--json']);
    expect(run.code).toBe(2);
    expect(run.json()).toMatchObject({ error: { code: 'invalid_input', data: {} } });
    expect(run.stderr).toBe('');
  });

  test('every command has help with an example', async () => {
    const top = await runInTest(['--help']);
    expect(top.code).toBe(0);
    const names = [...top.stdout.matchAll(/^ {2}([a-z]+)(?:\|[a-z]+)? .*$/gm)].map(([, name = '']) => name);
    expect(names).toContain('undo');
    for (const name of names.filter((known) => !['skein', 'config', 'help'].includes(known))) {
      const help = await runInTest([name, '--help']);
      expect([name, help.code]).toEqual([name, 0]);
      expect(help.stdout).toMatch(/Examples:\n {2}skein/);
    }
  });

  test('the version is printed', async () => {
    expect(await runInTest(['--version'])).toMatchObject({ code: 0, stdout: '1.2.3\n' });
  });
});

describe('faults', () => {
  test.each([
    ['not_found', 1],
    ['ambiguous', 2],
    ['conflict', 3],
    ['nothing_to_undo', 3],
    ['busy', 4],
    ['held', 4],
    ['permission_needed', 5],
    ['limit', 6],
    ['incompatible', 7],
    ['interrupted', 130],
    ['io', 1],
  ] as const)('%s ends with exit code %i', async (code, exit) => {
    const plain = await runInTest(['show'], { flows: failing(code) });
    expect(plain).toMatchObject({ code: exit, stdout: '', stderr: 'skein: It went wrong.\n', closed: 1 });
    const json = await runInTest(['show', '--json'], { flows: failing(code) });
    expect(json).toMatchObject({ code: exit, stderr: '' });
    expect(json.json()).toEqual({ error: { code, message: 'It went wrong.', data: { candidates: ['a1'] } } });
  });

  test('a message from outside cannot attack the terminal', async () => {
    const { stderr } = await runInTest(['show'], { flows: failing('io', 'no \u001b]0;owned\u0007') });
    expect(stderr).toBe('skein: no ␛]0;owned␇\n');
  });

  test('a fault that nobody foresaw is one sentence, without its words', async () => {
    const { code, stderr } = await runInTest(['show'], { flows: {} });
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/the test expects/);
  });

  test('a bridge that speaks another protocol is refused with what to do', async () => {
    const running = { url: 'http://127.0.0.1:1', token: 't', pid: 7, version: '9.0.0', protocol: 999 };
    const run = await runInTest(['strands', '--json'], { deps: { findRunning: async () => running } });
    expect(run.code).toBe(7);
    expect(run.json()).toMatchObject({
      error: { code: 'incompatible', message: expect.stringMatching(/skein stop/) },
    });
  });

  test('a bridge that does not answer is told as such', async () => {
    const running = { url: 'http://127.0.0.1:1', token: 't', pid: 7, version: '1.2.3', protocol: 1 };
    const run = await runInTest(['strands'], { deps: { findRunning: async () => running } });
    expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(/stopped answering/) });
  });
});

describe('small commands', () => {
  test('name, archive and lint answer what the bridge answers', async () => {
    const flows = {
      strands: {
        resolve: async () => aSummary(),
        name: async ({ name }: { name: string }) => aSummary({ name }),
        flag: async ({ archived = false }) => aSummary({ archived }),
        lint: async () => ({ ok: false, records: 3, problems: [{ line: 2, problem: 'wrong\u001b sum' }] }),
      },
    };
    const named = await runInTest(['name', 'latest', 'login', '--json'], { flows });
    expect(named.json()).toMatchObject({ id: 'a1b2c3d4e5f6', name: 'login' });
    const archived = await runInTest(['archive', '--undo', '--json'], { flows });
    expect(archived.json()).toMatchObject({ archived: false });
    const linted = await runInTest(['lint'], { flows });
    expect(linted).toMatchObject({ code: 1, stdout: expect.stringMatching(/line 2 {2}wrong␛ sum/) });
  });

  test.each(['latest', '1234', 'beef', 'two words', '-x'])('%s is no name', async (word) => {
    expect((await runInTest(['name', 'latest', '--', word])).code).toBe(2);
  });

  test('config set sends one setting and config get prints it', async () => {
    const base = { problems: [], configFile: 'c.json', dataDir: '', providers: [] };
    const flows = {
      settings: {
        get: async () => ({ ...base, config: { limits: { costUsd: 2 } } }),
        set: async ({ patch }: { patch: object }) => ({ ...base, config: patch }),
      },
    };
    const set = await runInTest(['config', 'set', 'limits.steps', '7', '--json'], { flows });
    expect(set).toMatchObject({ code: 0, stdout: '7\n' });
    const get = await runInTest(['config', 'get', 'limits', '--json'], { flows });
    expect(get.json()).toEqual({ costUsd: 2 });
    expect((await runInTest(['config', 'get', 'colour'], { flows })).code).toBe(1);
    expect((await runInTest(['config', 'set', 'port', 'many'], { flows })).code).toBe(2);
  });
});
