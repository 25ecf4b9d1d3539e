/** TRAPS D3: a writer killed at any moment leaves every acknowledged record, and nothing that blocks the next one. */
import { statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startChild } from './strands-children.ts';
import { HEADER, LONG, mustOpen, openStore, prompt, randomOf, tempDir } from './strands-kit.ts';

const KILLS = LONG ? 300 : 10;

test(`${KILLS} writers killed with SIGKILL lose nothing they acknowledged`, {
  timeout: 900_000,
}, async () => {
  using dir = tempDir();
  const random = randomOf(7);
  let torn = 0;
  let acknowledged = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await using opened = await openStore(`${dir.path}/${kill}`);
    const { id, file } = await closed(await opened.store.create(HEADER));
    const inWrite = kill % 3 === 0;
    const child = startChild(['writeForEver', opened.dirs.root, id, inWrite ? 'big' : 'mixed']);
    await child.until((saying) => saying['ready'] === true);
    if (inWrite) await untilItGrows(file);
    else await new Promise((resolve) => setTimeout(resolve, random() * 300));
    child.process.kill('SIGKILL');
    await child.ended;

    const acked = child.said.flatMap((saying) => (Array.isArray(saying['acked']) ? saying['acked'] : []));
    const writer = await mustOpen(opened.store, id);
    if ([...writer.state.nodes.values()].some(({ kind }) => kind === 'recovery')) torn += 1;
    await writer.append([prompt('the next writer')]);
    await writer.close();
    const { nodes, bad } = await opened.store.read(id);
    expect(acked.filter((one) => !nodes.has(one as never))).toEqual([]);
    expect(bad.filter(({ accepted }) => accepted !== 'sealed')).toEqual([]);
    // Header, recovery and the last prompt aside, at most one record was written and not yet acknowledged.
    const written = [...nodes.values()].filter(({ kind }) => kind === 'custom').length;
    expect(written - acked.length).toBeLessThanOrEqual(1);
    acknowledged += acked.length;
    writeFileSync(file, '');
  }
  expect(acknowledged).toBeGreaterThan(KILLS);
  expect(torn, 'no torn tail was ever seen: the test does not test').toBeGreaterThan(0);
});

const closed = async <T extends { close(): Promise<void> }>(writer: T): Promise<T> => {
  await writer.close();
  return writer;
};

/** A large record is being written right now. */
const untilItGrows = async (file: string): Promise<void> => {
  const before = statSync(file).size;
  while (statSync(file).size === before) await new Promise((resolve) => setImmediate(resolve));
};
