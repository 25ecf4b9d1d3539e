/**
 * kill -9 of the bridge at random instants of a working session (DESIGN section 10, rules 1, 3, 4). One data
 * directory lives through all kills, so that what one leaves behind would hurt the next.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import { decodeLine } from '@skein/core/record/line';
import { expect, test } from 'vitest';
import { makeSandbox, type RunningBridge, runBridge, runCommand, type Sandbox } from './bridge-process.ts';

const KILLS = process.env['SKEIN_TEST_LONG'] === '1' ? 1000 : 30;
const FILES = 6;

/** Each turn writes every file once, then removes the last. */
const scriptOf = (turn: number): string =>
  [
    `say Turn ${turn}.`,
    ...[...Array(FILES).keys()].map((file) => `write f${file}.txt "turn ${turn} file ${file}"`),
    `edit f0.txt turn => TURN`,
    `rm f${FILES - 1}.txt`,
    `say Turn ${turn} is over.`,
  ].join('\n');

/** Everything file `file` may hold once turns up to `turn` were sent. */
const allowedStates = (file: number, turns: number): Set<string> => {
  const states = new Set<string>(['<absent>']);
  for (let turn = 0; turn <= turns; turn += 1) {
    states.add(`turn ${turn} file ${file}`);
    if (file === 0) states.add(`TURN ${turn} file ${file}`);
  }
  return states;
};

const follow = (bridge: RunningBridge, strand: StrandId, after: string, seen: Map<string, string>): void => {
  bridge.connection.client.events.strand.subscribe(
    { strand, after },
    {
      onData: (next) => {
        if (!('id' in next) || typeof next.id !== 'string') return;
        const event = next.data;
        if (event.type === 'record' && event.item.kind === 'record')
          seen.set(next.id, JSON.stringify(event.item.record));
      },
      // The bridge is about to be killed.
      onError: () => undefined,
    },
  );
};

const linesOf = (file: string): Map<string, string> => {
  const lines = readFileSync(file).toString('latin1').split('\n').slice(0, -1);
  const records = new Map<string, string>();
  lines.forEach((line, index) => {
    const decoded = decodeLine(Buffer.from(line, 'latin1'));
    if (decoded.kind !== 'ok') return;
    const { sum: _sum, ...record } = JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as Record<
      string,
      unknown
    >;
    records.set(`${index + 1}:${decoded.record.id}`, JSON.stringify(record));
  });
  return records;
};

const checkAfterKill = (
  sandbox: Sandbox,
  strand: StrandId,
  seen: ReadonlyMap<string, string>,
  turns: number,
): void => {
  const [file = ''] = globSync(join(sandbox.dataDir, 'strands', '*', `*_${strand}.jsonl`));
  const onDisk = linesOf(file);
  for (const [cursor, record] of seen)
    expect(onDisk.get(cursor), `acknowledged record ${cursor}`).toBe(record);
  for (let index = 0; index < FILES; index += 1) {
    const path = join(sandbox.workspace, `f${index}.txt`);
    const state = existsSync(path) ? readFileSync(path, 'utf8') : '<absent>';
    expect(allowedStates(index, turns)).toContain(state);
  }
};

test(
  `${KILLS} kills of the bridge lose no acknowledged record and tear no file`,
  async () => {
    using sandbox = makeSandbox();
    const seen = new Map<string, string>();
    let strand: StrandId | null = null;
    let turns = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      await using bridge = await runBridge(sandbox);
      const { client } = bridge.connection;
      strand ??= (await client.strands.create.mutate({ cwd: sandbox.workspace, agent: 'script' })).id;
      const { cursor } = await client.strands.window.query({ strand, turns: 1 });
      follow(bridge, strand, cursor, seen);
      const delay = Math.floor(Math.random() * 350);
      const prompts = (async () => {
        for (;;) {
          const { items } = await client.strands.list.query({ limit: 1 });
          if (items[0]?.state === 'running') continue;
          await client.turns.prompt.mutate({
            strand: strand as StrandId,
            text: scriptOf(turns),
            by: 'script',
          });
          turns += 1;
        }
      })();
      // Ends with the bridge: the call that is open then fails.
      prompts.catch(() => undefined);
      await new Promise((done) => setTimeout(done, delay));
      await bridge.end('SIGKILL');
      checkAfterKill(sandbox, strand, seen, turns);
    }
    expect(turns).toBeGreaterThan(0);
    // One more start settles what the last kill left.
    await using settled = await runBridge(sandbox);
    await settled.end('SIGTERM');
    const lint = await runCommand(sandbox, ['lint', String(strand), '--json']);
    expect(lint.code, lint.stdout + lint.stderr).toBe(0);
    const shown = JSON.parse((await runCommand(sandbox, ['show', String(strand), '--json'])).stdout) as {
      turns: { outcome: string | null }[];
    };
    expect(shown.turns.every(({ outcome }) => outcome === 'done' || outcome === 'interrupted')).toBe(true);
    const undone = await runCommand(sandbox, ['undo', String(strand), '--scope', 'files', '--json']);
    expect([0, 3], undone.stdout).toContain(undone.code);
    const stray = globSync(join(sandbox.workspace, '{.,}*skein*'));
    expect(stray, 'temp files left in the workspace').toEqual([]);
  },
  KILLS * 4000 + 60_000,
);
