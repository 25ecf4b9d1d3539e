import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandId } from '@skein/core/record/ids';
import { createTRPCClient, httpLink, splitLink, unstable_localLink } from '@trpc/client';
import { expect, test } from 'vitest';
import { type AppRouter, appRouter } from '../api/router.ts';
import { aLiveStrand } from './testing/a-live-strand.ts';
import { aSummary } from './testing/a-summary.ts';
import { flowsOf, runInTest } from './testing/run-in-test.ts';

test('text streams to stdout once, tools to stderr, one line each', async () => {
  const live = aLiveStrand((strand) => {
    strand.live({ type: 'text', block: 'b1', text: 'Let me ' });
    strand.live({ type: 'text', block: 'b1', text: 'look.' });
    strand.strand
      .answer('Let me look.')
      .call('c1', 'bash', { command: 'ls -la' })
      .result('c1', 'gone', 'error');
    strand.grow();
    strand.live({ type: 'text', block: 'b2', text: 'Do' });
    strand.strand.answer('Done.').turn({ files: ['src/a.ts'] });
    strand.grow();
  });
  const run = await runInTest(['run', 'hello', 'there'], { flows: live.flows });
  expect(run).toMatchObject({
    code: 0,
    stdout: 'Let me look.\n\nDone.\n',
    waypoints: ['a1b2c3d4e5f6'],
    closed: 1,
  });
  expect(run.stderr).toMatch(/→ bash ls -la\n {4}✗ error: gone\n|→ bash ls -la\n {2}✗ error: gone\n/);
  expect(run.stderr).toMatch(/modified {2}src\/a\.ts {2}\+1 -1/);
  expect(live.prompts).toMatchObject([
    { text: 'hello there', by: 'script', interactive: false, when: 'now' },
  ]);
});

test('--json prints one value of the promised shape and nothing else', async () => {
  const live = aLiveStrand(({ strand, grow }) => {
    strand
      .answer('one')
      .answer('two')
      .turn({ files: ['src/a.ts'] });
    grow();
  });
  const run = await runInTest(['run', '--json', 'x'], { flows: live.flows });
  expect(run.json()).toEqual({
    strand: 'a1b2c3d4e5f6',
    turn: live.strand.promptId(),
    stop: 'done',
    text: 'one\n\ntwo',
    files: [{ path: 'src/a.ts', status: 'modified', added: 1, removed: 1 }],
    coverage: { level: 'full', reasons: [] },
    denied: [],
  });
  expect(run.stdout.trimEnd().split('\n')).toHaveLength(1);
});

test('live pieces that were lost are filled from the durable message', async () => {
  const live = aLiveStrand((strand) => {
    strand.live({ type: 'text', block: 'b', text: 'Hello wo' });
    strand.live({
      type: 'catch_up',
      blocks: [{ block: 'b', kind: 'text', text: 'Hello world, how' }],
      calls: [],
    });
    strand.strand.answer('Hello world, how are you?').turn();
    strand.grow();
  });
  expect((await runInTest(['run', 'x'], { flows: live.flows })).stdout).toBe('Hello world, how are you?\n');
});

test('a cursor that no longer fits does not lose the rest of the turn', async () => {
  const live = aLiveStrand(({ strand, grow, resync }) => {
    strand.answer('first');
    grow();
    strand.answer('second').turn();
    resync();
  });
  const run = await runInTest(['run', '--json', 'x'], { flows: live.flows });
  expect(run.json()).toMatchObject({ text: 'first\n\nsecond', stop: 'done' });
});

test('what the model says cannot attack the terminal', async () => {
  const evil = 'a\u001b]52;c;cm0=\u0007b';
  const live = aLiveStrand((strand) => {
    for (const letter of evil) strand.live({ type: 'text', block: 'b', text: letter });
    strand.strand
      .answer(evil)
      .call('c', 'bash', { command: 'x\u001b[2J' })
      .result('c')
      .turn({ files: ['a\u001b\n'] });
    strand.grow();
  });
  const run = await runInTest(['run', 'x'], { flows: live.flows });
  expect(run.stdout).toBe('a␛]52;c;cm0=␇b\n');
  expect(run.stderr).not.toContain('\u001b');
});

test.each([
  ['failed', 1],
  ['limit', 6],
  ['interrupted', 130],
  ['aborted', 130],
] as const)('a turn that ends %s ends with exit code %i', async (outcome, code) => {
  const live = aLiveStrand(({ strand, grow }) => {
    strand.turn({ outcome });
    grow();
  });
  const run = await runInTest(['run', '--json', 'x'], { flows: live.flows });
  expect(run.code).toBe(code);
  expect(run.json()).toMatchObject({ stop: outcome, error: { message: expect.any(String) } });
});

test('a call that nobody could allow ends with exit code 5', async () => {
  const live = aLiveStrand(({ strand, grow }) => {
    strand.call('c', 'bash', { command: 'ls' });
    strand.add({
      kind: 'decision',
      call: 'c',
      tool: 'bash',
      allowed: false,
      by: 'mode',
      reason: 'nobody is there',
    });
    strand.result('c', 'no', 'denied').answer('I could not.').turn();
    grow();
  });
  const run = await runInTest(['run', '--json', 'x'], { flows: live.flows });
  expect(run.code).toBe(5);
  expect(run.json()).toMatchObject({
    error: { code: 'permission_needed' },
    denied: [{ tool: 'bash', by: 'mode' }],
  });
});

test('at a terminal a question is asked and the answer decides', async () => {
  const decided: unknown[] = [];
  const live = aLiveStrand(
    ({ strand, global, grow }) => {
      const base = {
        strand: 'a1b2c3d4e5f6' as StrandId,
        turn: strand.promptId(),
        call: 'c',
        tool: 'bash',
        at: '',
      };
      const request = {
        ...base,
        id: 'p1',
        title: 'bash: rm\u001b',
        command: 'rm -rf build',
        edit: null,
        rule: 'bash(rm)',
      };
      global({ type: 'permission', request });
      strand.answer('Let me.').call('c', 'bash', { command: 'rm -rf build' });
      grow();
    },
    {
      turns: {
        decide: async (input) => {
          decided.push(input);
          live.strand.answer('Thanks.').turn();
          live.grow();
          return { accepted: true, saved: false };
        },
      },
    },
  );
  const run = await runInTest(['run', 'x'], { flows: live.flows, env: { stdinIsTty: true }, answers: ['a'] });
  expect(run.code).toBe(0);
  expect(decided).toEqual([{ id: 'p1', strand: 'a1b2c3d4e5f6', decision: 'always' }]);
  expect(run.stderr).toMatch(
    /^→ bash rm -rf build\nThe agent asks: bash: rm␛\n {2}rm -rf build\nAllow it\? \[y\]es, \[n\]o, \[a\]lways \(bash\(rm\)\): /,
  );
  expect(run.stderr).toMatch(/holds for this session only/);
  expect(live.prompts).toMatchObject([{ by: 'user', interactive: true }]);
});

test('Ctrl-C interrupts the turn and what it did is told', async () => {
  let press = (): void => undefined;
  const live = aLiveStrand(() => press(), {
    turns: {
      interrupt: async () => {
        live.strand.answer('Half').turn({ outcome: 'aborted' });
        live.grow();
        return { interrupted: true };
      },
    },
  });
  const onInterrupt = (handler: () => void): void => {
    press = handler;
  };
  const run = await runInTest(['run', 'x'], { flows: live.flows, onInterrupt });
  expect(run).toMatchObject({ code: 130, stdout: 'Half\n' });
});

test('a second Ctrl-C leaves a turn that does not end', async () => {
  let press = (): void => undefined;
  const live = aLiveStrand(
    () => {
      press();
      press();
    },
    { turns: { interrupt: async () => ({ interrupted: true }) } },
  );
  const onInterrupt = (handler: () => void): void => {
    press = handler;
  };
  expect((await runInTest(['run', 'x'], { flows: live.flows, onInterrupt })).code).toBe(130);
});

test('a second Ctrl-C leaves at once: the interrupt that nobody answers is given up, silently', async () => {
  let press = (): void => undefined;
  let answer = (): void => undefined;
  const rejected: unknown[] = [];
  const note = (error: unknown): void => void rejected.push(error);
  process.on('unhandledRejection', note);
  const live = aLiveStrand(
    () => {
      press();
      press();
    },
    {
      turns: {
        interrupt: () =>
          new Promise((_, reject) => {
            answer = () => reject(new BridgeError('internal', 'too late'));
          }),
      },
    },
  );
  const onInterrupt = (handler: () => void): void => {
    press = handler;
  };
  const run = await runInTest(['run', 'x'], { flows: live.flows, onInterrupt });
  answer();
  await new Promise((done) => setTimeout(done, 50));
  process.off('unhandledRejection', note);
  expect(run.code).toBe(130);
  expect(run.stderr).not.toContain('too late');
  expect(rejected).toEqual([]);
});

test('a second Ctrl-C gives up the call to a bridge that does not answer', async () => {
  let press = (): void => undefined;
  const called = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server = createServer((request) => {
    request.socket.once('close', left.resolve);
    called.resolve();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const live = aLiveStrand(async () => {
    press();
    await called.promise;
    press();
  });
  const client = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ path }) => path === 'turns.interrupt',
        true: httpLink({ url: `http://127.0.0.1:${port}` }),
        false: unstable_localLink({
          router: appRouter,
          createContext: async () => ({ flows: flowsOf(live.flows), caller: { kind: 'in_process' } }),
        }),
      }),
    ],
  });
  const run = await runInTest(['run', 'x'], {
    deps: { openInProcess: async () => ({ client, close: async () => undefined }) },
    onInterrupt: (handler) => {
      press = handler;
    },
  });
  expect(run.code).toBe(130);
  // An open call would keep the process alive.
  await left.promise;
  await new Promise((done) => server.close(done));
}, 10_000);

test('an interrupt that fails is told, and the turn is followed on', async () => {
  let press = (): void => undefined;
  const live = aLiveStrand(
    async ({ strand, grow }) => {
      press();
      await new Promise((done) => setTimeout(done, 50));
      strand.answer('All of it').turn();
      grow();
    },
    { turns: { interrupt: () => Promise.reject(new BridgeError('io', 'The disk is full.')) } },
  );
  const onInterrupt = (handler: () => void): void => {
    press = handler;
  };
  const run = await runInTest(['run', 'x'], { flows: live.flows, onInterrupt });
  expect(run).toMatchObject({ code: 0, stdout: 'All of it\n' });
  expect(run.stderr).toContain('skein: The disk is full.');
});

test('- reads the prompt from stdin, as it is', async () => {
  const live = aLiveStrand(({ strand, grow }) => {
    strand.answer('ok').turn();
    grow();
  });
  await runInTest(['run', '-'], {
    flows: live.flows,
    stdin: 'say one\nsay two\n',
    env: { stdinIsTty: true },
  });
  expect(live.prompts).toMatchObject([{ text: 'say one\nsay two\n', interactive: false }]);
  expect((await runInTest(['run', '-'], { flows: live.flows, stdin: ' \n' })).code).toBe(2);
});

test('an old session keeps its agent and folder; model and mode change with the prompt', async () => {
  const set: unknown[] = [];
  const live = aLiveStrand(
    ({ strand, grow }) => {
      strand.answer('ok').turn();
      grow();
    },
    {
      strands: {
        set: async (input) => {
          set.push(input);
          return aSummary();
        },
      },
    },
  );
  const { flows } = live;
  expect((await runInTest(['run', '-c', '--mode', 'edits', 'x'], { flows })).code).toBe(0);
  expect(set).toEqual([{ strand: 'a1b2c3d4e5f6', setting: 'mode', value: 'edits' }]);
  expect((await runInTest(['run', '-c', '--agent', 'loop', 'x'], { flows })).code).toBe(2);
  expect((await runInTest(['run', '-c', '--cwd', '/', 'x'], { flows })).code).toBe(2);
  expect((await runInTest(['run', '-c', '-s', 'a', 'x'], { flows })).code).toBe(2);
});
