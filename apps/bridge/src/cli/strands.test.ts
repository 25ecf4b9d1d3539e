import type { StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { aSummary } from './testing/a-summary.ts';
import { runInTest, type SomeFlows } from './testing/run-in-test.ts';

const idOf = (n: number): StrandId => n.toString(16).padStart(12, '0') as StrandId;

const listing = (items: readonly StrandSummary[]): SomeFlows => ({
  strands: {
    list: async ({ limit, after }) => {
      const start = after === undefined ? 0 : Number(after);
      const page = items.slice(start, start + limit);
      const end = start + page.length;
      return { items: page, next: end < items.length ? String(end) : null, total: items.length };
    },
  },
});

test('a table has one line a session, harmless and without colours in a pipe', async () => {
  const flows = listing([
    aSummary({ name: 'login', title: 'evil \u001b]0;x\u0007 title' }),
    aSummary({ id: idOf(9), title: '', state: 'failed', cost: 0, turns: 0 }),
  ]);
  const { stdout, code } = await runInTest(['ls'], { flows });
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'ID        STATE   AGENT   TURNS   COST  UPDATED    SESSION',
    'a1b2c3d4  idle    script      2  $0.50  2 min ago  login evil ␛]0;x␇ title',
    '00000000  failed  script      0      -  2 min ago  (no prompt yet)',
    '',
  ]);
});

test('colours are for a terminal, and never against NO_COLOR', async () => {
  const flows = listing([aSummary()]);
  const isColoured = async (env: { stdoutIsTty: boolean; color: boolean | null }): Promise<boolean> =>
    (await runInTest(['strands'], { flows, env })).stdout.includes('\u001b[');
  expect(await isColoured({ stdoutIsTty: true, color: null })).toBe(true);
  expect(await isColoured({ stdoutIsTty: true, color: false })).toBe(false);
  expect(await isColoured({ stdoutIsTty: false, color: null })).toBe(false);
  expect(await isColoured({ stdoutIsTty: false, color: true })).toBe(true);
});

test('--json prints every session, a table only the newest', async () => {
  const flows = listing(Array.from({ length: 450 }, (_, n) => aSummary({ id: idOf(n) })));
  const json = await runInTest(['strands', '--json'], { flows });
  expect(json.json()).toHaveLength(450);
  const table = await runInTest(['strands'], { flows });
  expect(table.stdout.trimEnd().split('\n')).toHaveLength(41);
  expect(table.stderr).toMatch(/410 more/);
  expect((await runInTest(['strands', '--json', '-n', '3'], { flows })).json()).toHaveLength(3);
});

test('no session: a word about it on stderr, an empty list in JSON', async () => {
  const run = await runInTest(['strands'], { flows: listing([]) });
  expect(run).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/skein run/) });
  expect((await runInTest(['strands', '--json'], { flows: listing([]) })).json()).toEqual([]);
});
