import type { ApplyRequest, RestoreRequest, RestoreResult } from '@skein/core/protocol/restore';
import type { RecordId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { aSummary } from './testing/a-summary.ts';
import { runInTest, type SomeFlows } from './testing/run-in-test.ts';

const TURN = 'r00000000002' as RecordId;

const texts = (now: string | null, after: string | null) =>
  // biome-ignore lint/suspicious/noThenProperty: a field of the protocol
  ({ now, then: after });

const aHunk = { id: 'h1', nowStart: 1, nowLines: 1, thenStart: 1, thenLines: 1 };
const noTexts = { base: null, markers: null, choices: [] };
const aResult = (more: Partial<RestoreResult> = {}): RestoreResult => ({
  applied: true,
  plan: 'hash1',
  direction: 'undo',
  turns: [TURN],
  scope: 'both',
  files: [
    { path: 'src/a.ts', action: 'write', hunks: [aHunk], laterTurns: [], ...texts('x', 'y'), binary: false },
    { path: 'src/new.ts', action: 'delete', hunks: [], laterTurns: [], ...texts('x', null), binary: false },
  ],
  conflicts: [],
  unattributed: [],
  unrestored: [],
  draft: 'fix it',
  ...more,
});

const answering = (
  result: RestoreResult,
): { flows: SomeFlows; asked: { verb: string; request: RestoreRequest | ApplyRequest }[] } => {
  const asked: { verb: string; request: RestoreRequest | ApplyRequest }[] = [];
  const flows: SomeFlows = {
    strands: {
      resolve: async () => aSummary(),
      show: async ({ strand }) => ({
        strand,
        tip: TURN,
        settings: {},
        messages: [],
        turns: [
          {
            turn: TURN,
            number: 1,
            prompt: 'p',
            at: '',
            outcome: 'done',
            files: [],
            coverage: null,
            undone: false,
            usage: null,
            cost: 0,
          },
        ],
        records: 4,
        bad: 0,
      }),
    },
    restore: {
      preview: async (request) => {
        asked.push({ verb: 'preview', request });
        return { ...result, applied: false };
      },
      apply: async (request) => {
        asked.push({ verb: 'apply', request });
        return result;
      },
    },
  };
  return { flows, asked };
};

test('undo takes files and conversation back and says how to redo', async () => {
  const { flows, asked } = answering(aResult());
  const run = await runInTest(['undo'], { flows });
  expect(run.code).toBe(0);
  expect(asked).toEqual([
    { verb: 'apply', request: { strand: 'a1b2c3d4e5f6', direction: 'undo', scope: 'both' } },
  ]);
  expect(run.stdout).toMatch(/restored {2}src\/a\.ts\n {2}deleted {3}src\/new\.ts/);
  expect(run.stderr).toMatch(/fix it\n.*skein redo/s);
});

test('--json prints the result of the bridge as it is', async () => {
  const run = await runInTest(
    ['undo', '--json', '--plan', 'hash1', '--scope', 'files'],
    answering(aResult()),
  );
  expect(run.json()).toEqual(aResult());
});

test('a conflict ends with exit code 3 and names every path and why', async () => {
  const conflict = {
    path: 'src/a\u001b.ts',
    reason: 'changed_since' as const,
    ...texts(null, null),
    ...noTexts,
  };
  const result = aResult({ applied: false, files: [], conflicts: [conflict] });
  const plain = await runInTest(['undo'], answering(result));
  expect(plain.code).toBe(3);
  expect(plain.stdout).toMatch(/Nothing was written.*\n {2}conflict {2}src\/a␛\.ts: changed since/s);
  const json = await runInTest(['undo', '--json'], answering(result));
  expect(json.code).toBe(3);
  expect(json.json()).toMatchObject({ applied: false, conflicts: [{ reason: 'changed_since' }] });
  expect((await runInTest(['undo', '--dry-run'], answering(result))).code).toBe(3);
});

test('a dry run asks for a preview and ends with 0', async () => {
  const { flows, asked } = answering(aResult());
  const run = await runInTest(['redo', '--dry-run', '--op', 'abcdefghijkl'], { flows });
  expect(run.code).toBe(0);
  expect(asked).toMatchObject([{ verb: 'preview', request: { direction: 'redo', op: 'abcdefghijkl' } }]);
  expect(run.stderr).toMatch(/--plan hash1/);
});

test('a turn is named by its number or its id and means its files', async () => {
  const { flows, asked } = answering(aResult());
  await runInTest(['undo', '--turn', '1'], { flows });
  await runInTest(['undo', '--turn', TURN], { flows });
  await runInTest(['undo', '--turn', 'r00000000099'], { flows });
  expect(asked.map(({ request }) => [request.turn, request.scope])).toEqual([
    [TURN, 'files'],
    [TURN, 'files'],
    ['r00000000099', 'files'],
  ]);
  expect((await runInTest(['undo', '--turn', '7'], { flows })).code).toBe(2);
  expect((await runInTest(['redo', '--op', 'x'], { flows })).code).toBe(2);
});
