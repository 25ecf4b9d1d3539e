import { expect, test } from 'vitest';
import { runInTest } from './testing/run-in-test.ts';

const url = 'http://127.0.0.1:4765';
const openingLink = `${url}/#code=abc`;
const starting = (ports: (number | undefined)[] = []) => ({
  startBridge: async ({ port }: { readonly port: number | undefined }) => {
    ports.push(port);
    return { url, openingLink, pid: 42, done: Promise.resolve() };
  },
});

test('skein alone starts the bridge and opens the page', async () => {
  const run = await runInTest([], { deps: starting() });
  expect(run).toMatchObject({ code: 0, opened: [openingLink] });
  expect(run.stdout).toMatch(/Skein is running at http:\/\/127\.0\.0\.1:4765\n/);
});

test('--json prints one line with the address and no code', async () => {
  const ports: (number | undefined)[] = [];
  const run = await runInTest(['--json', '--no-open', '--port', '0'], { deps: starting(ports) });
  expect(run).toMatchObject({ code: 0, stdout: `{"url":"${url}","pid":42}\n`, opened: [] });
  expect(ports).toEqual([0]);
});

test('a link with a code is printed to a terminal only', async () => {
  const terminal = await runInTest(['up', '--no-open'], { deps: starting(), env: { stdoutIsTty: true } });
  expect(terminal.stdout).toContain(openingLink);
  const file = await runInTest(['up', '--no-open'], { deps: starting() });
  expect(file.stdout).not.toContain('code=');
});

test('open and stop without a running bridge say so', async () => {
  expect(await runInTest(['open'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/skein up/) });
  expect(await runInTest(['stop', '--json'])).toMatchObject({
    code: 0,
    stdout: '{"stopping":false,"pid":null}\n',
  });
});
