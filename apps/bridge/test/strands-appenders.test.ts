/** TRAPS D9: several processes want to write one strand; the lease lets one at a time, and every record is there once. */
import { expect, test } from 'vitest';
import { startChild } from './strands-children.ts';
import { HEADER, LONG, mustOpen, openStore, prompt, tempDir } from './strands-kit.ts';

const PROCESSES = LONG ? 8 : 4;
const ROUNDS = LONG ? 40 : 6;
const PER_ROUND = LONG ? 25 : 10;

test('processes that take turns never mix their records', { timeout: 300_000 }, async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const { id } = await made(opened.store);
  const children = Array.from({ length: PROCESSES }, (_, i) =>
    startChild(['takeTurns', dir.path, id, `w${i}`, String(ROUNDS), String(PER_ROUND)]),
  );
  for (const child of children) expect(await child.ended).toMatchObject({ code: 0, stderr: '' });

  const state = await opened.store.read(id);
  expect(state.bad).toEqual([]);
  expect(state.gaps).toEqual([]);
  const found = [...state.nodes.values()].filter(({ kind }) => kind === 'custom');
  expect(found).toHaveLength(PROCESSES * ROUNDS * PER_ROUND);
  const refusals = children.map((child) => Number(child.said.find((saying) => saying['done'])?.['refused']));
  expect(Math.max(...refusals), 'nobody ever waited: the lease was not tested').toBeGreaterThan(0);
  for (const child of children) {
    const acked = child.said.flatMap((saying) =>
      typeof saying['acked'] === 'string' ? [saying['acked']] : [],
    );
    const mine = new Set(acked);
    expect(found.map(({ id: one }) => one as string).filter((one) => mine.has(one))).toEqual(acked);
  }
});

test('a stopped owner keeps its lease, and a dead one loses it', { timeout: 60_000 }, async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const { id } = await made(opened.store);
  const owner = startChild(['writeForEver', dir.path, id, 'small']);
  await owner.until((saying) => 'acked' in saying);

  owner.process.kill('SIGSTOP');
  const held = await opened.store.open(id);
  expect(held).toMatchObject({
    kind: 'held',
    holder: expect.stringContaining(`process ${owner.process.pid} `),
  });
  expect((await opened.store.open(id, { takeOver: true })).kind).toBe('held');
  expect((await opened.store.list())[0]?.id).toBe(id);
  const before = owner.said.length;
  owner.process.kill('SIGCONT');
  await owner.until((saying) => owner.said.indexOf(saying) > before + 1);

  owner.process.kill('SIGKILL');
  await owner.ended;
  const writer = await mustOpen(opened.store, id);
  await writer.append([prompt('mine now')]);
  await writer.close();
});

test('of many processes that find a dead owner one gets the lease at a time', {
  timeout: 120_000,
}, async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const { id } = await made(opened.store);
  for (let round = 0; round < (LONG ? 20 : 2); round += 1) {
    const owner = startChild(['writeForEver', dir.path, id, 'small']);
    await owner.until((saying) => 'acked' in saying);
    owner.process.kill('SIGKILL');
    await owner.ended;
    const heirs = Array.from({ length: PROCESSES }, (_, i) =>
      startChild(['takeTurns', dir.path, id, `h${i}`, '2', '5']),
    );
    for (const heir of heirs) expect(await heir.ended).toMatchObject({ code: 0, stderr: '' });
  }
  const state = await opened.store.read(id);
  expect(state.bad.filter(({ accepted }) => accepted !== 'sealed')).toEqual([]);
  expect(state.gaps).toEqual([]);
});

const made = async (store: Awaited<ReturnType<typeof openStore>>['store']) => {
  const writer = await store.create(HEADER);
  await writer.close();
  return writer;
};
