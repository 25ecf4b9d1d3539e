/** TRAPS D1: a strand cut at every byte loses nothing that was whole, and the next record never fuses with the rest. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeLine } from '@skein/core/record/line';
import { expect, test } from 'vitest';
import {
  HEADER,
  LONG,
  linesIn,
  mustOpen,
  openStore,
  prompt,
  tempDir,
  writeEveryKind,
} from './strands-kit.ts';

test('a strand cut at any byte opens, lists, takes a record and opens again', {
  timeout: 600_000,
}, async () => {
  using dir = tempDir({ fast: true });
  const original = await makeOriginal(join(dir.path, 'made'));
  await using opened = await openStore(join(dir.path, 'data'));
  const { store, dirs } = opened;
  const file = join(dirs.strands, 'cut-0123456789abcdef', `20260101-000000_${original.id}.jsonl`);
  mkdirSync(dirname(file), { mode: 0o700 });
  const seen = { refused: 0, sealed: 0, completed: 0 };
  for (let length = 1; length <= original.bytes.length; length += 1) {
    rmSync(file, { force: true });
    writeFileSync(file, original.bytes.subarray(0, length));
    const whole = original.ends.filter((end) => end <= length).length;
    const [row] = await store.list();
    expect(row?.id).toBe(original.id);
    if (whole === 0) {
      expect((await store.open(original.id)).kind).toBe('read_only');
      expect(readFileSync(file)).toHaveLength(length);
      seen.refused += 1;
      continue;
    }
    const writer = await mustOpen(store, original.id);
    const [added] = await writer.append([prompt('after the cut')]);
    await writer.close();

    const state = await store.read(original.id);
    const expected = [...original.ids.slice(0, whole), added?.id];
    const found = [...state.nodes.values()].filter(({ kind }) => kind !== 'recovery').map(({ id }) => id);
    expect(found, `cut at ${length}`).toEqual(expected);
    expect(
      state.bad.filter(({ accepted }) => accepted === null),
      `cut at ${length}`,
    ).toEqual([]);
    const after = readFileSync(file);
    expect(after.subarray(0, length).equals(original.bytes.subarray(0, length)), `cut at ${length}`).toBe(
      true,
    );
    const { lines, tail } = linesIn(after);
    expect(tail).toHaveLength(0);
    const bad = lines.filter((line) => decodeLine(line).kind !== 'ok').length;
    const torn = !original.ends.includes(length) && !original.ends.includes(length - 1);
    expect(bad, `cut at ${length}`).toBe(torn ? 1 : 0);
    expect((await mustOpenAndClose(store, original.id)).nodes.size).toBe(state.nodes.size);
    seen[torn ? 'sealed' : 'completed'] += 1;
  }
  expect(seen.refused).toBeGreaterThan(100);
  expect(seen.sealed).toBeGreaterThan(1000);
  expect(seen.completed).toBe(2 * original.ends.length);
});

const mustOpenAndClose = async (
  store: Parameters<typeof mustOpen>[0],
  id: Parameters<typeof mustOpen>[1],
) => {
  const writer = await mustOpen(store, id);
  await writer.close();
  return writer.state;
};

/** Every record kind; long: several times. `ends`: the length at which each record is whole, without its line end. */
const makeOriginal = async (root: string) => {
  await using opened = await openStore(root);
  const writer = await opened.store.create(HEADER);
  for (let round = 0; round < (LONG ? 12 : 1); round += 1) await writeEveryKind(writer);
  await writer.close();
  const bytes = readFileSync(writer.file);
  const { lines } = linesIn(bytes);
  let at = 0;
  const ends = lines.map((line) => {
    at += line.length + 1;
    return at - 1;
  });
  return { id: writer.id, bytes, ends, ids: [...writer.state.nodes.keys()] };
};
