/** A large strand opens at its end, and a long list is not read twice. Counted in bytes that really were read (Linux). */
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RecordId, StrandId } from '@skein/core/record/ids';
import { encodeLine } from '@skein/core/record/line';
import type { RecordBody } from '@skein/core/record/schema';
import { expect, test } from 'vitest';
import { newRecordId } from '../src/platform/ids.ts';
import {
  answer,
  bytesRead,
  HEADER,
  LONG,
  openStore,
  prompt,
  settled,
  strandBytes,
  tempDir,
} from './strands-kit.ts';

const canCount = existsSync('/proc/self/io');
const MEGABYTES = LONG ? 500 : 60;
const ID = 'abcdefabcdef' as StrandId;

test.skipIf(!canCount)(
  `${MEGABYTES} MB opened at the end: less than 5 % of the bytes are read`,
  { timeout: 300_000 },
  async () => {
    using dir = tempDir();
    const file = join(dir.path, 'data', 'strands', 'x-0123456789abcdef', `20260101-000000_${ID}.jsonl`);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const made = writeLarge(file, MEGABYTES * 1e6);
    const options = { turns: 10, maxRecords: 3000, maxBytes: 8 * 1024 * 1024 };
    {
      // Nobody has seen the file yet: its line ends are counted, nothing else is read twice.
      await using fresh = await openStore(join(dir.path, 'data'));
      const before = bytesRead();
      const window = await fresh.store.window(ID, options);
      expect(bytesRead() - before).toBeLessThan(made.size * 1.05 + 1e6);
      expect(window).toMatchObject({ tip: made.tip, cursor: `${made.lines}:${made.last}` });
      await fresh.store.list();
    }
    await using opened = await openStore(join(dir.path, 'data'));
    const before = bytesRead();
    const window = await opened.store.window(ID, options);
    const read = bytesRead() - before;
    expect(read).toBeLessThan(made.size * 0.05);
    expect(window).toMatchObject({ tip: made.tip, cursor: `${made.lines}:${made.last}` });
    const seqs = window.items.map(({ seq }) => seq);
    expect(seqs.at(-1)).toBe(made.lines);
    expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] ?? 0) + i));

    const older = await opened.store.window(ID, { ...options, before: window.before ?? 0 });
    expect(older.items.at(-1)?.seq).toBe((seqs[0] ?? 0) - 1);
    expect(bytesRead() - before).toBeLessThan(made.size * 0.1);
    const next = await opened.store.readAfter(ID, window.cursor);
    expect(next).toMatchObject({ kind: 'lines', items: [], more: false });
  },
);

/** Lines of about 20 KB, a prompt every tenth. */
const writeLarge = (file: string, size: number) => {
  const fd = openSync(file, 'w', 0o600);
  let parent: RecordId | null = null;
  let [bytes, lines] = [0, 0];
  const add = (body: RecordBody): RecordId => {
    const id = newRecordId();
    bytes += writeSync(fd, encodeLine({ id, parent, at: '2026-01-01T00:00:00.000Z', ...body }));
    lines += 1;
    parent = id;
    return id;
  };
  add({ ...HEADER, strand: ID } as RecordBody);
  let tip = '';
  while (bytes < size)
    tip = add(lines % 10 === 1 ? prompt(`prompt ${lines}`) : answer('語 and text '.repeat(1400)));
  const last = add({ kind: 'usage', model: 'm', usage: { input: 1, output: 1 }, source: 'task' });
  closeSync(fd);
  return { size: bytes, lines, tip, last };
};

test.skipIf(!canCount)(
  '3,000 strands are listed a second time without reading them',
  { timeout: 120_000 },
  async () => {
    using dir = tempDir();
    const root = join(dir.path, 'data');
    let total = 0;
    for (let n = 0; n < 3000; n += 1) {
      const id = n.toString(16).padStart(12, '0');
      const folder = join(root, 'strands', `project${n % 30}-0123456789abcdef`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const bytes = strandBytes(id, [
        prompt(`prompt of ${n}`),
        answer('text '.repeat(1000)),
        settled('0'.repeat(12)),
      ]);
      total += bytes.length;
      writeFileSync(join(folder, `20260101-000000_${id}.jsonl`), bytes);
    }
    {
      await using first = await openStore(root);
      const before = bytesRead();
      expect(await first.store.list()).toHaveLength(3000);
      expect(bytesRead() - before).toBeGreaterThan(total);
    }
    await using second = await openStore(root);
    const before = bytesRead();
    const rows = await second.store.list();
    expect(rows).toHaveLength(3000);
    expect(rows.every(({ title, turns }) => title.startsWith('prompt of ') && turns === 1)).toBe(true);
    expect(bytesRead() - before).toBeLessThan(total / 20);
  },
);
