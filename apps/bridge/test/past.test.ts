/** Files at a record, and who wrote which line, with the script agent at work. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promptInputSchema } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import type { Flows } from '../src/api/flows.ts';
import { wireFlows } from '../src/compose/wire-flows.ts';
import { type OpenPlace, openPlace, until } from './open-place.ts';

const runTurn = async (flows: Flows, strand: StrandId, text: string): Promise<void> => {
  await flows.turns.prompt(promptInputSchema.parse({ strand, text, by: 'script' }));
  await until(
    async () => (await flows.strands.show({ strand, context: false })).turns.at(-1)?.outcome === 'done',
  );
};

const twoTurns = async (place: OpenPlace) => {
  const flows = await wireFlows(place.parts, null);
  const strand = await place.strand();
  await runTurn(flows, strand, 'write a.txt "one\\ntwo\\n"');
  await runTurn(flows, strand, 'edit a.txt two => TWO\nwrite b.txt hello');
  const { turns } = await flows.strands.show({ strand, context: false });
  return { flows, strand, turns: turns.map(({ turn }) => turn) };
};

test('the files at a turn are those changed up to it, with their text then and now', async () => {
  await using place = await openPlace();
  const { flows, strand, turns } = await twoTurns(place);
  const [first, second] = turns;
  if (first === undefined || second === undefined) throw new Error('no turns');
  expect(await flows.files.at({ strand, at: first })).toEqual({
    held: true,
    turn: first,
    files: [{ path: 'a.txt', status: 'added', turn: first }],
  });
  const later = await flows.files.at({ strand, at: second });
  expect(later.held && later.files.map(({ path, turn }) => [path, turn])).toEqual([
    ['a.txt', second],
    ['b.txt', second],
  ]);
  writeFileSync(join(place.workspace, 'a.txt'), 'mine\n');
  expect(await flows.files.versionAt({ strand, at: first, path: 'a.txt' })).toMatchObject({
    held: true,
    was: 'one\ntwo\n',
    now: 'mine\n',
    same: false,
  });
  rmSync(join(place.workspace, 'a.txt'));
  expect(await flows.files.versionAt({ strand, at: second, path: 'a.txt' })).toMatchObject({
    was: 'one\nTWO\n',
    now: null,
    nowType: 'absent',
  });
});

test('each line is the turn’s that wrote it, and what was edited since is the user’s', async () => {
  await using place = await openPlace();
  const { flows, strand, turns } = await twoTurns(place);
  const file = join(place.workspace, 'a.txt');
  writeFileSync(file, 'zero\none\nTWO\n');
  const blame = await flows.files.blame({ path: file });
  const by = blame.lines.map(({ text, by: at }) => [text, at === null ? 'you' : blame.turns[at]?.turn]);
  expect(by).toEqual([
    ['zero', 'you'],
    ['one', turns[0]],
    ['TWO', turns[1]],
  ]);
  expect(blame.turns[0]).toMatchObject({ strand, number: 1, agent: 'script' });
});

test('after an undo the lines are those of the turn before', async () => {
  await using place = await openPlace();
  const { flows, strand, turns } = await twoTurns(place);
  await flows.restore.apply({ strand, direction: 'undo', scope: 'files' });
  const blame = await flows.files.blame({ path: join(place.workspace, 'a.txt') });
  expect(blame.lines.map(({ by }) => (by === null ? 'you' : blame.turns[by]?.turn))).toEqual([
    turns[0],
    turns[0],
  ]);
});

test('a file that is none and one that is no text are refused', async () => {
  await using place = await openPlace();
  const flows = await wireFlows(place.parts, null);
  await expect(flows.files.blame({ path: join(place.workspace, 'no') })).rejects.toMatchObject({
    code: 'not_found',
  });
  writeFileSync(join(place.workspace, 'x.bin'), Buffer.from([1, 0, 2]));
  await expect(flows.files.blame({ path: join(place.workspace, 'x.bin') })).rejects.toMatchObject({
    code: 'invalid_input',
  });
});
