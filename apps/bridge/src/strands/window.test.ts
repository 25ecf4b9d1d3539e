import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { WindowItem } from '@skein/core/protocol/strands';
import type { RecordId, StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import {
  answer,
  HEADER,
  mustOpen,
  openStore,
  prompt,
  tempDir,
  writeEveryKind,
} from '../../test/strands-kit.ts';
import type { StrandStore } from './types.ts';

const all = { turns: 500, maxRecords: 10_000, maxBytes: 1e9 };

const seqs = (items: readonly WindowItem[]): number[] => items.map(({ seq }) => seq);

/** Every item of the file, as `lines` gives them. */
const everything = async (store: StrandStore, id: StrandId): Promise<WindowItem[]> => {
  const items: WindowItem[] = [];
  for await (const { item } of store.lines(id)) items.push(item);
  return items;
};

const setUp = async (root: string, turns: number) => {
  const { store } = await openStore(root);
  const writer = await store.create(HEADER);
  const prompts: RecordId[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const records = await writer.append([prompt(`prompt ${turn}`), answer('a'), answer('b')]);
    prompts.push(records[0]?.id as RecordId);
  }
  await writer.close();
  return { store, id: writer.id, file: writer.file, prompts };
};

test.each([
  [{ turns: 2, maxRecords: 1000, maxBytes: 1e9 }],
  [{ turns: 500, maxRecords: 7, maxBytes: 1e9 }],
  [{ turns: 500, maxRecords: 1000, maxBytes: 900 }],
  [{ turns: 1, maxRecords: 1, maxBytes: 1 }],
])('windows with %o, one before the other, show every line once', async (options) => {
  using dir = tempDir();
  const { store, id, file } = await setUp(dir.path, 6);
  const writer = await mustOpen(store, id);
  await writeEveryKind(writer);
  await writer.close();
  appendFileSync(file, 'damaged\n\n{"torn":');
  for (const fresh of [store, (await openStore(dir.path)).store]) {
    const expected = await everything(fresh, id);
    let found: WindowItem[] = [];
    let before: number | null | undefined;
    while (before !== null) {
      const window = await fresh.window(id, before === undefined ? options : { ...options, before });
      expect(window.items.length).toBeGreaterThan(0);
      found = [...window.items, ...found];
      ({ before } = window);
    }
    expect(found).toEqual(expected);
    expect(seqs(found)).toEqual(expected.map((_, i) => i + 1));
  }
});

test('a window starts at a prompt and holds as many turns as it was asked for', async () => {
  using dir = tempDir();
  const { store, id, prompts } = await setUp(dir.path, 6);
  const { items, tip, cursor } = await store.window(id, { ...all, turns: 2 });
  expect(items).toHaveLength(6);
  expect(items[0]).toMatchObject({ record: { id: prompts[4] } });
  expect(items.at(-1)).toMatchObject({ record: { id: tip } });
  expect(cursor).toBe(`19:${tip}`);
});

test('after a way back the turns of the current path are counted, not those left behind', async () => {
  using dir = tempDir();
  const { store, id, prompts } = await setUp(dir.path, 6);
  const writer = await mustOpen(store, id);
  await writer.append([{ kind: 'tip', to: prompts[1] as RecordId, reason: 'offshoot' }]);
  await writer.close();
  for (const fresh of [store, (await openStore(dir.path)).store]) {
    const { items, tip } = await fresh.window(id, { ...all, turns: 2 });
    expect(tip).toBe(prompts[1]);
    expect(items[0]).toMatchObject({ record: { id: prompts[0] } });
    expect(items).toHaveLength(1 + 18);
  }
});

test('the tip is right when its record is far outside the window, and after lines that do not move it', async () => {
  using dir = tempDir();
  const { store, id, prompts } = await setUp(dir.path, 6);
  const writer = await mustOpen(store, id);
  await writer.append([{ kind: 'tip', to: prompts[0] as RecordId, reason: 'go' }]);
  await writer.append(Array.from({ length: 20 }, () => ({ kind: 'flag', pinned: true }) as const));
  await writer.close();
  const small = { turns: 1, maxRecords: 2, maxBytes: 10 };
  for (const fresh of [store, (await openStore(dir.path)).store]) {
    expect((await fresh.window(id, small)).tip).toBe(prompts[0]);
    expect((await fresh.read(id)).tip).toBe(prompts[0]);
  }
});

test('after a cursor come the lines behind it, whichever it is and however far back', async () => {
  using dir = tempDir();
  const { store, id, file } = await setUp(dir.path, 4);
  appendFileSync(file, 'damaged\n');
  const expected = await everything(store, id);
  const cursors = expected.map(
    (item) => `${item.seq}:${item.kind === 'record' ? (item.record as { id: string }).id : '-'}`,
  );
  for (const fresh of [store, (await openStore(dir.path)).store]) {
    for (const [i, cursor] of ['0:-', ...cursors].entries()) {
      const after = await fresh.readAfter(id, cursor);
      expect(after).toEqual({ kind: 'lines', items: expected.slice(i), cursor: cursors.at(-1), more: false });
    }
  }
  expect((await store.window(id, all)).cursor).toBe(cursors.at(-1));
});

test('a cursor of another history gets a resync', async () => {
  using dir = tempDir();
  const { store, id, file } = await setUp(dir.path, 2);
  const { cursor } = await store.window(id, all);
  for (const wrong of [
    '',
    '7',
    '7:',
    'x:y',
    '-1:-',
    '0:aaaaaaaaaaaa',
    '1:-',
    '3:-',
    `3:${cursor.slice(-12)}`,
    `99:${cursor.slice(-12)}`,
  ]) {
    expect(await store.readAfter(id, wrong), wrong).toMatchObject({ kind: 'resync' });
  }
  const text = readFileSync(file, 'utf8').trim().split('\n');
  writeFileSync(file, `${text.slice(0, -1).join('\n')}\n`);
  expect((await store.readAfter(id, cursor)).kind).toBe('resync');
});

test('a long way is read in pieces, and a record that is appended meanwhile comes once', async () => {
  using dir = tempDir();
  const { store, id } = await setUp(dir.path, 200);
  const found: number[] = [];
  let cursor = '0:-';
  let more = true;
  for (let pieces = 0; more; pieces += 1) {
    const next = await store.readAfter(id, cursor);
    if (next.kind !== 'lines') throw new Error(next.reason);
    found.push(...seqs(next.items));
    ({ cursor, more } = next);
    if (pieces > 0) continue;
    const writer = await mustOpen(store, id);
    await writer.append([prompt('meanwhile')]);
    await writer.close();
  }
  expect(found).toEqual(Array.from({ length: 602 }, (_, i) => i + 1));
});

test('a file without any record says so instead of an empty window', async () => {
  using dir = tempDir();
  const { store, id, file } = await setUp(dir.path, 1);
  writeFileSync(file, 'nothing\n');
  await expect(store.window(id, all)).rejects.toMatchObject({ code: 'unreadable' });
  expect((await store.list())[0]).toMatchObject({ id, state: 'unreadable' });
});
