import { appendFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import { summaryOf } from '@skein/core/strand/summary';
import Database from 'better-sqlite3';
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
import { openCatalog } from './catalog.ts';
import type { StrandStore } from './types.ts';

const ROW = {
  key: { size: 1, mtimeMs: 1, ino: 1 },
  end: 1,
  lines: 1,
  tip: null,
  summary: { id: 'x' } as never,
};

const make = async (store: StrandStore, text: string): Promise<StrandId> => {
  const writer = await store.create(HEADER);
  await writer.append([prompt(text), answer('x'.repeat(100_000))]);
  await writer.close();
  return writer.id;
};

const titles = async (store: StrandStore): Promise<string[]> =>
  (await store.list()).map(({ title }) => title).sort();

test('a row says what the whole fold says', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const writer = await opened.store.create(HEADER);
  await writeEveryKind(writer);
  const expected = summaryOf(writer.state, { id: writer.id });
  expect(await opened.store.list()).toEqual([expected]);
  await writer.close();
  await using fresh = await openStore(dir.path);
  expect(await fresh.store.list()).toEqual([expected]);
  expect(await fresh.store.summary(writer.id)).toEqual(expected);
  expect(await fresh.store.summary('aaaaaaaaaaaa' as StrandId)).toBeNull();
});

test('a strand that grew, appeared or went changes the list, an old one stays (TRAPS A46, A47)', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const { store } = opened;
  const one = await make(store, 'one');
  const two = await make(store, 'two');
  expect(await titles(store)).toEqual(['one', 'two']);
  const at = await store.locate(one);
  utimesSync(at?.file ?? '', 1000, 1000);
  const three = await make(store, 'three');
  const writer = await mustOpen(store, two);
  await writer.append([{ kind: 'name', name: 'renamed' }]);
  expect((await store.list()).find(({ id }) => id === two)?.name).toBe('renamed');
  await writer.close();
  rmSync((await store.locate(three))?.file ?? '');
  expect(await titles(store)).toEqual(['one', 'two']);
  expect(await store.locate(three)).toBeNull();
});

test.each([
  ['is deleted', (path: string) => rmSync(path)],
  ['holds garbage', (path: string) => writeFileSync(path, 'garbage '.repeat(2000))],
  ['is cut', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5000))],
  [
    'is of another version',
    (path: string) => new Database(path).exec('pragma user_version = 99; drop table strands').close(),
  ],
  [
    'has a row that is no JSON',
    (path: string) => new Database(path).exec("update strands set summary = '{'").close(),
  ],
])('the list is the same when the catalog %s', async (_name, damage) => {
  using dir = tempDir();
  let expected: readonly unknown[] = [];
  let catalog = '';
  {
    await using opened = await openStore(dir.path);
    for (let n = 0; n < 20; n += 1) await make(opened.store, `strand ${n}`);
    expected = await opened.store.list();
    catalog = opened.dirs.catalog;
  }
  damage(catalog);
  await using again = await openStore(dir.path);
  expect(await again.store.list()).toEqual(expected);
  expect(again.notices).toEqual([]);
});

test('a catalog that cannot be kept is done without, and that is said once', async () => {
  using dir = tempDir();
  const row = {
    path: 'a',
    key: { size: 1, mtimeMs: 1.5, ino: 2 ** 63 },
    end: 1,
    lines: 1,
    tip: null,
    summary: {} as never,
  };
  const notices: string[] = [];
  for (const path of [join(dir.path, 'no', 'such', 'catalog'), dir.path, '/proc/catalog']) {
    const catalog = await openCatalog(path, (message) => notices.push(message));
    await catalog.save([row]);
    await catalog.save([row]);
    expect([...catalog.rows.values()]).toEqual([row]);
    catalog.close();
  }
  expect(notices).toHaveLength(3);
});

test('keys of a row survive the file, also those that are no small integers', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'catalog');
  const key = { size: 2 ** 40, mtimeMs: 1_700_000_000_000.25, ino: 2 ** 63 + 2 ** 20 };
  const row = { path: 'a', key, end: 2 ** 40, lines: 3, tip: null, summary: { id: 'x' } as never };
  for (const expected of [[], [row]]) {
    const catalog = await openCatalog(path, expect.unreachable);
    expect([...catalog.rows.values()]).toEqual(expected);
    await catalog.save([row]);
    catalog.close();
  }
});

test('a catalog that is damaged while it is open is made anew', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  await make(opened.store, 'one');
  await opened.store.list();
  const other = new Database(opened.dirs.catalog);
  other.exec('drop table strands');
  other.close();
  await make(opened.store, 'two');
  expect(await titles(opened.store)).toEqual(['one', 'two']);
  await using again = await openStore(dir.path);
  expect(await titles(again.store)).toEqual(['one', 'two']);
  expect(opened.notices).toEqual([]);
});

test('a catalog that can be neither read nor made anew is kept in memory, and that is said', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'catalog');
  writeFileSync(path, 'garbage '.repeat(2000));
  // A folder with something in it cannot be removed as a file.
  mkdirSync(join(`${path}-journal`, 'kept'), { recursive: true });
  const notices: string[] = [];
  const catalog = await openCatalog(path, (message) => notices.push(message));
  expect(catalog.rows.size).toBe(0);
  await catalog.save([{ path: 'a', ...ROW }]);
  expect([...catalog.rows.keys()]).toEqual(['a']);
  expect(notices).toHaveLength(1);
  catalog.close();
});

test('rows that cannot be written after a rebuild stay in memory, and the list goes on', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'catalog');
  const notices: string[] = [];
  const catalog = await openCatalog(path, (message) => notices.push(message));
  await catalog.save([{ path: 'a', ...ROW }]);
  const other = new Database(path);
  other.exec('drop table strands');
  other.close();
  // No column takes this: the insert fails after the rebuild as it did before.
  await catalog.save([{ path: 'b', ...ROW, end: 0.5 }]);
  await catalog.save([{ path: 'c', ...ROW }]);
  expect([...catalog.rows.keys()]).toEqual(['a', 'b', 'c']);
  expect(notices).toHaveLength(1);
  catalog.close();
});

test('an empty file is no row, a file that grew by a torn tail is the row it was', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const id = await make(opened.store, 'one');
  const { file } = (await opened.store.locate(id)) ?? { file: '' };
  const [before] = await opened.store.list();
  writeFileSync(file.replace(id, 'aaaaaaaaaaaa'), '');
  appendFileSync(file, '{"id":"');
  expect(await opened.store.list()).toEqual([before]);
});

test.skipIf(process.platform !== 'linux')(
  'a strand that another process appends to is not read whole for every record',
  async () => {
    using dir = tempDir();
    await using opened = await openStore(dir.path);
    const { store } = opened;
    const writer = await store.create(HEADER);
    for (let turn = 0; turn < 20; turn += 1)
      await writer.append([prompt('one more'), answer('x'.repeat(30_000))]);
    await writer.close();
    const bytes = readFileSync(writer.file);
    const half = bytes.indexOf(10, bytes.length / 2) + 1;
    writeFileSync(writer.file, bytes.subarray(0, half));
    expect((await store.list())[0]?.turns).toBeLessThan(20);
    const before = bytesRead();
    let from = half;
    while (from < bytes.length) {
      const to = bytes.indexOf(10, from) + 1;
      appendFileSync(writer.file, bytes.subarray(from, to));
      await store.list();
      from = to;
    }
    expect(bytesRead() - before).toBeLessThan(2 * bytes.length);
    expect((await store.list())[0]?.turns).toBe(20);
  },
);

/** Bytes that this process read so far, by the kernel's count. */
const bytesRead = (): number =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? Number.NaN);
