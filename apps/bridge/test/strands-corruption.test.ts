/** TRAPS D2: whatever was done to the bytes of a strand, the lines that were not touched are all there, and it is said what is not. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import {
  HEADER,
  LONG,
  linesIn,
  mustOpen,
  openStore,
  prompt,
  randomOf,
  tempDir,
  writeEveryKind,
} from './strands-kit.ts';

const SEEDS = LONG ? 20_000 : 300;
const BATCH = 1000;

test(`${SEEDS} damaged strands are read as far as they are intact`, { timeout: 900_000 }, async () => {
  using dir = tempDir({ fast: true });
  const original = await makeOriginal(join(dir.path, 'made'));
  const known = new Map(
    linesIn(original.bytes).lines.map((line, i) => [line.toString('latin1'), original.ids[i] ?? '']),
  );
  const kinds = new Set<string>();
  for (let from = 1; from <= SEEDS; from += BATCH) {
    await using opened = await openStore(join(dir.path, `data-${from}`));
    const file = join(opened.dirs.strands, 'bad-0123456789abcdef', `20260101-000000_${original.id}.jsonl`);
    mkdirSync(dirname(file), { mode: 0o700 });
    for (let seed = from; seed < Math.min(from + BATCH, SEEDS + 1); seed += 1) {
      rmSync(file, { force: true });
      const { bytes, kind } = damage(original.bytes, randomOf(seed));
      writeFileSync(file, bytes);
      kinds.add(kind);
      await check(opened.store, { id: original.id, bytes, known, label: `seed ${seed}: ${kind}` });
    }
  }
  expect(kinds.size).toBe(7);
});

interface Case {
  readonly id: StrandId;
  readonly bytes: Buffer;
  /** Record id by the text of its line. */
  readonly known: ReadonlyMap<string, string>;
  readonly label: string;
}

const check = async (
  store: Awaited<ReturnType<typeof openStore>>['store'],
  { id, bytes, known, label }: Case,
) => {
  const started = performance.now();
  const lines = linesIn(bytes).lines.map((line) => line.toString('latin1'));
  const intact = [...new Set(lines.flatMap((line) => known.get(line) ?? []))];
  const state = await store.read(id);
  const isHeaderIntact = known.get(lines[0] ?? '') === [...known.values()][0];
  const expected = isHeaderIntact ? intact : intact.filter((one) => one !== [...known.values()][0]);
  expect([...state.nodes.keys()], label).toEqual(expected);
  expect(state.bad, label).toHaveLength(lines.length - expected.length);
  const [row] = await store.list();
  expect(row, label).toMatchObject({ id, bad: state.bad.length });
  let count = 0;
  for await (const { item } of store.lines(id)) count = item.seq;
  expect(count, label).toBe(lines.length);
  expect(performance.now() - started, `${label}: too slow`).toBeLessThan(5000);

  const outcome = await store.open(id);
  if (outcome.kind === 'open') await outcome.writer.close();
  if (!isHeaderIntact) {
    expect(outcome.kind, label).toBe('read_only');
    await expect(store.acceptBadLines(id), label).rejects.toMatchObject({ code: 'read_only' });
    return;
  }
  if (outcome.kind !== 'open') await store.acceptBadLines(id);
  const writer = await mustOpen(store, id);
  const [added] = await writer.append([prompt('after the damage')]);
  await writer.close();
  const after = await store.read(id);
  expect(
    expected.every((one) => after.nodes.has(one as never)),
    label,
  ).toBe(true);
  expect(after.nodes.has(added?.id as never), label).toBe(true);
};

/** One of seven kinds of damage, at a place that the seed says. */
const damage = (
  original: Buffer,
  random: () => number,
): { readonly bytes: Buffer; readonly kind: string } => {
  const below = (limit: number): number => Math.floor(random() * limit);
  const bytes = Buffer.from(original);
  const { lines } = linesIn(original);
  const at = below(bytes.length);
  const join10 = (parts: readonly Buffer[]): Buffer =>
    Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
  const line = below(lines.length);
  switch (below(7)) {
    case 0:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
      return { bytes, kind: 'bit' };
    case 1:
      bytes[at] = below(256);
      return { bytes, kind: 'byte' };
    case 2:
      return { bytes: join10(lines.toSpliced(line, 1)), kind: 'line removed' };
    case 3:
      return {
        bytes: join10(lines.toSpliced(line, 0, lines[line] ?? Buffer.alloc(0))),
        kind: 'line doubled',
      };
    case 4: {
      const other = below(lines.length);
      const swapped = lines
        .with(line, lines[other] ?? Buffer.alloc(0))
        .with(other, lines[line] ?? Buffer.alloc(0));
      return { bytes: join10(swapped), kind: 'lines swapped' };
    }
    case 5: {
      const garbage = Buffer.from(Array.from({ length: 1 + below(8192) }, () => below(256)));
      garbage.copy(bytes, at);
      return { bytes, kind: 'garbage' };
    }
    default:
      return {
        bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(64))]),
        kind: 'bytes removed',
      };
  }
};

const makeOriginal = async (root: string) => {
  await using opened = await openStore(root);
  const writer = await opened.store.create(HEADER);
  for (let round = 0; round < 3; round += 1) await writeEveryKind(writer);
  await writer.close();
  return { id: writer.id, bytes: readFileSync(writer.file), ids: [...writer.state.nodes.keys()] as string[] };
};
