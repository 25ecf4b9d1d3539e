import { createHash } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesIn, randomOf, tempDir } from '../../test/strands-kit.ts';
import { type AppendFile, openAppendFile } from './append-file.ts';
import { BLOCK_BYTES, countNewlines, type Line, readLines } from './line-reader.ts';
import { readLinesBackwards } from './line-reader-back.ts';

const collect = async (lines: AsyncIterable<Line | readonly Line[]>): Promise<Line[]> => {
  const all: Line[] = [];
  for await (const next of lines) all.push(...[next].flat());
  return all;
};

const digest = ({ bytes, length }: Pick<Line, 'bytes' | 'length'>): string =>
  `${length} ${createHash('sha256')
    .update(bytes ?? 'not loaded')
    .digest('hex')}`;

/** Lines of every length around the block size, empty ones, and one that was not finished. */
const makeContent = (seed: number): Buffer => {
  const random = randomOf(seed);
  const sizes = [0, 1, 2, 100, 5000, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 3 * BLOCK_BYTES];
  const parts = Array.from({ length: 40 }, (_, i) => {
    const size = sizes[Math.floor(random() * sizes.length)] ?? 0;
    return Buffer.concat([Buffer.alloc(size, 'a'.charCodeAt(0) + (i % 26)), Buffer.from('\n')]);
  });
  return Buffer.concat([...parts, Buffer.alloc(Math.floor(random() * 3), 0x7a)]);
};

test.each([1, 2, 3, 4])(
  'lines read forwards and backwards are the lines of the file (seed %i)',
  async (seed) => {
    using dir = tempDir();
    const path = join(dir.path, 'lines');
    const content = makeContent(seed);
    writeFileSync(path, content);
    const expected = linesIn(content).lines;
    const forwards = await collect(readLines(path, { from: 0, to: content.length, maxLineBytes: 1e9 }));
    const backwards = await collect(readLinesBackwards(path, { end: content.length, maxLineBytes: 1e9 }));
    // Compared by hash: the test runner takes seconds to compare large buffers.
    expect(forwards.map(digest)).toEqual(expected.map((bytes) => digest({ bytes, length: bytes.length })));
    expect(backwards.reverse().map(digest)).toEqual(forwards.map(digest));
    expect(backwards.map(({ offset }) => offset)).toEqual(forwards.map(({ offset }) => offset));
    for (const { offset, length } of forwards) expect(content[offset + length]).toBe(10);
    expect(await countNewlines(path, 0, content.length)).toBe(expected.length);
  },
);

test('a line over the cap is passed over, and its neighbours are read', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'lines');
  const content = Buffer.concat([
    Buffer.from('a\n'),
    Buffer.alloc(2 * BLOCK_BYTES, 98),
    Buffer.from('\nc\n'),
  ]);
  writeFileSync(path, content);
  const range = { from: 0, to: content.length, end: content.length, maxLineBytes: BLOCK_BYTES };
  const shown = [Buffer.from('a'), null, Buffer.from('c')];
  expect((await collect(readLines(path, range))).map(({ bytes }) => bytes)).toEqual(shown);
  expect(
    (await collect(readLinesBackwards(path, range))).reverse().map(({ bytes, length }) => [bytes, length]),
  ).toEqual([
    [shown[0], 1],
    [null, 2 * BLOCK_BYTES],
    [shown[2], 1],
  ]);
});

test('a file that others changed, or that is not ours any more, is not written to', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'grows');
  writeFileSync(path, 'one\n');
  let ours = true;
  const file: AppendFile = await openAppendFile(path, { isOurs: () => ours });
  await file.append(Buffer.from('two\n'));
  ours = false;
  await expect(file.append(Buffer.from('x\n'))).rejects.toMatchObject({ code: 'held' });
  ours = true;
  appendFileSync(path, 'other\n');
  await expect(file.append(Buffer.from('x\n'))).rejects.toMatchObject({ code: 'held' });
  await file.close();
  expect(await collect(readLines(path, { from: 0, to: 100, maxLineBytes: 100 }))).toHaveLength(3);
});

test.skipIf(process.platform !== 'linux')('a full disk is an io fault with its errno', async () => {
  const file = await openAppendFile('/dev/full', { isOurs: () => true });
  await expect(file.append(Buffer.from('x\n'))).rejects.toMatchObject({
    code: 'io',
    data: { errno: 'ENOSPC' },
  });
  await file.close();
});
