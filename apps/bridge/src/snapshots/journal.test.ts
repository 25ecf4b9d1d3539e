import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { encodeJsonLine } from '@skein/core/record/json-line';
import { expect, test } from 'vitest';
import { createWorkbench, treeOf, type Workbench, write } from '../../test/snapshots/workbench.ts';
import { parseJournal } from './journal-lines.ts';

const journalOf = ({ dataDir, strand }: Workbench): string =>
  join(dataDir, 'snapshots/journals', `${strand}.jsonl`);
const linesOf = (bench: Workbench): string[] =>
  readFileSync(journalOf(bench), 'latin1').split('\n').slice(0, -1);
const saveLines = (bench: Workbench, lines: readonly string[]): void =>
  writeFileSync(journalOf(bench), lines.map((line) => `${line}\n`).join(''), 'latin1');

const faultOf = async (work: Promise<unknown>): Promise<BridgeError> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof BridgeError) return error;
    throw error;
  }
  throw new Error('no fault');
};

/** Three turns, each writing a file of its own twice. */
const threeTurns = async (bench: Workbench) => {
  const turns = [];
  for (const name of ['one', 'two', 'three']) {
    turns.push(
      await bench.turn(async (gate) => {
        await write(gate, name, 'first');
        await write(gate, name, 'second');
      }),
    );
  }
  return turns;
};

test('every cut of a journal reads as its whole lines, and the next line does not fuse with the rest', async () => {
  await using bench = createWorkbench();
  await bench.turn((gate) => write(gate, 'x', '1'));
  await bench.turn((gate) => write(gate, 'x', '2'));
  const whole = readFileSync(journalOf(bench));
  const ends = [...whole.keys()].filter((index) => whole[index] === 0x0a);
  for (let length = 0; length <= whole.length; length += length % 40 === 39 ? 1 : 13) {
    const cut = whole.subarray(0, length);
    const complete = ends.filter((end) => end <= length).length;
    expect(parseJournal(cut).bad).toEqual([]);
    expect(parseJournal(cut).entries).toHaveLength(complete);
  }
  for (const length of [whole.length - 1, whole.length - 2, whole.length - 40, (ends[0] ?? 0) + 1, 5]) {
    writeFileSync(journalOf(bench), whole.subarray(0, length));
    await bench.turn((gate) => write(gate, 'y', String(length)));
    const { entries, bad } = parseJournal(readFileSync(journalOf(bench)));
    expect(bad).toEqual([]);
    expect(entries.at(-1)).toMatchObject({ kind: 'mutation', path: 'y' });
    expect(entries).toHaveLength(ends.filter((end) => end <= length).length + 1);
    truncateSync(journalOf(bench), 0);
  }
});

test('bytes of a torn tail stay in the file', async () => {
  await using bench = createWorkbench();
  await bench.turn((gate) => write(gate, 'x', '1'));
  appendFileSync(journalOf(bench), '{"torn":');
  await bench.turn((gate) => write(gate, 'x', '2'));
  expect(readFileSync(journalOf(bench), 'utf8')).toContain('{"torn":\n');
  expect(statSync(journalOf(bench)).mode & 0o777).toBe(0o600);
});

test.each([
  ['a flipped bit', (line: string) => line.replace('"gate"', '"gatf"')],
  ['a lost end', (line: string) => line.slice(0, -30)],
  ['garbage', () => '\x00\xff\x00 garbage'],
  ['a kind of a newer Skein', (line: string) => newer(line)],
])('%s takes undo from its turn with a reason; the other turns work', async (_, damage) => {
  await using bench = createWorkbench();
  const [one, two, three] = await threeTurns(bench);
  saveLines(
    bench,
    linesOf(bench).map((line, index) => (index === 3 ? damage(line) : line)),
  );
  const before = treeOf(bench.root);
  const fault = await faultOf(bench.undo(two!));
  expect(fault.code).toBe('unreadable');
  expect(fault.message).toMatch(/line 4 of its journal is damaged/);
  expect((await faultOf(bench.preview(two!))).code).toBe('unreadable');
  expect(treeOf(bench.root)).toEqual(before);
  expect((await bench.undo(three!).catch((error) => error)).applied ?? 'refused').not.toBe(false);
  expect((await bench.undo(one!)).applied).toBe(true);
});

function newer(line: string): string {
  const { sum: _, ...entry } = JSON.parse(line);
  return Buffer.from(encodeJsonLine({ ...entry, kind: 'capture' }))
    .toString('latin1')
    .trimEnd();
}

test('a damaged line that tells nothing of its turn takes undo from both turns beside it', async () => {
  await using bench = createWorkbench();
  const [one, two, three] = await threeTurns(bench);
  const lines = linesOf(bench);
  saveLines(bench, [...lines.slice(0, 2), 'garbage', ...lines.slice(2)]);
  expect((await faultOf(bench.undo(one!))).code).toBe('unreadable');
  expect((await faultOf(bench.undo(two!))).code).toBe('unreadable');
  expect((await bench.undo(three!)).applied).toBe(true);
});

test('a damaged intent takes redo from its operation only', async () => {
  await using bench = createWorkbench();
  const [one, two] = await threeTurns(bench);
  const first = await bench.undo(one!);
  const second = await bench.undo(two!);
  saveLines(
    bench,
    linesOf(bench).map((line) =>
      line.includes('"intent"') && line.includes(first.op!) ? line.replace('undo', 'redo') : line,
    ),
  );
  expect((await faultOf(bench.redo(first.op!))).code).toBe('unreadable');
  expect((await bench.redo(second.op!)).applied).toBe(true);
});

test('a turn with a damaged line says that it cannot be undone', async () => {
  await using bench = createWorkbench();
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'x', '1');
    await write(gate, 'x', '2');
    saveLines(
      bench,
      linesOf(bench).map((line, index) => (index === 0 ? line.replace('"gate"', '"gatf"') : line)),
    );
  });
  const { coverage } = await bench.store.settleFromJournal({ strand: bench.strand, root: bench.root }, turn);
  expect(coverage.level).toBe('none');
});

test('a path that leads out of the workspace or into .git is never restored, whoever wrote the line', async () => {
  await using bench = createWorkbench();
  const turn = await bench.turn((gate) => write(gate, 'x', '1'));
  for (const path of ['../outside/x', '/etc/x', 'a/../../x', '.git/hooks/x', { b64: 'Li4veA==' }]) {
    const { sum: _, ...entry } = JSON.parse(linesOf(bench)[0]!);
    writeFileSync(journalOf(bench), encodeJsonLine({ ...entry, path }));
    const fault = await faultOf(bench.undo(turn));
    expect(fault.code).toBe('unreadable');
    writeFileSync(journalOf(bench), encodeJsonLine(entry));
  }
  expect((await bench.undo(turn)).applied).toBe(true);
});
