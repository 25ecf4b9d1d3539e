import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import { decodeLine } from '@skein/core/record/line';
import { expect, test } from 'vitest';
import { answer, HEADER, linesIn, mustOpen, openStore, prompt, tempDir } from '../../test/strands-kit.ts';
import { systemClock } from '../platform/clock.ts';
import { readProcessIdentity } from '../platform/host.ts';
import { leasePath } from './data-dir.ts';
import { abandon, createEmpty } from './open-strand.ts';

const setUp = async (root: string) => {
  const opened = await openStore(root);
  const writer = await opened.store.create(HEADER);
  await writer.append([prompt('first'), answer('second')]);
  await writer.close();
  return { opened, store: opened.store, id: writer.id, file: writer.file };
};

test('a strand is created 0600 in the folder of its working directory, its header whole and small', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const dirty = Array.from({ length: 50 }, (_, i) => `${'長い名前'.repeat(20)}${i}`);
  const repo = { root: '/nowhere', branch: 'main', head: null, dirty };
  const writer = await opened.store.create({ ...HEADER, repo });
  expect(writer.file).toMatch(/\/strands\/項目-[0-9a-f]{16}\/\d{8}-\d{6}_[0-9a-f]{12}\.jsonl$/);
  expect(statSync(writer.file).mode & 0o777).toBe(0o600);
  expect(statSync(writer.file).size).toBeLessThan(4096);
  expect(writer.state.header).toMatchObject({ strand: writer.id, parent: null });
  expect(writer.state.header?.repo?.dirty.length).toBeGreaterThan(3);
});

test('a sub-agent lies beside its parent, can be found, and is no row of the list', async () => {
  using dir = tempDir();
  const { opened, store, id, file } = await setUp(dir.path);
  const child = await store.create({ ...HEADER, origin: { strand: id, record: null, via: 'subagent' } });
  expect(child.file.startsWith(`${file.replace(/\.jsonl$/, '')}-agents/`)).toBe(true);
  await child.close();
  expect((await store.list()).map((row) => row.id)).toEqual([id]);
  expect((await store.summary(child.id))?.id).toBe(child.id);
  await opened[Symbol.asyncDispose]();
  await using again = await openStore(dir.path);
  expect(await again.store.locate(child.id)).toEqual({ id: child.id, file: child.file });
});

test('a torn tail stays, is sealed once, and nothing before it changes', async () => {
  using dir = tempDir();
  const { opened, store, id, file } = await setUp(dir.path);
  appendFileSync(file, '{"id":"torn😀');
  const before = readFileSync(file);
  expect((await store.read(id)).bad).toEqual([]);
  for (let i = 0; i < 2; i += 1) await (await mustOpen(store, id)).close();
  const after = readFileSync(file);
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  const records = linesIn(after).lines.map((line) => decodeLine(line));
  expect(records.map(({ kind }) => kind)).toEqual(['ok', 'ok', 'ok', 'torn', 'ok']);
  expect(records.at(-1)).toMatchObject({ record: { kind: 'recovery', torn: { bytes: 15 } } });
  await opened.store.close();
});

test('a crash while a torn tail is sealed does not block the next opening', async () => {
  using dir = tempDir();
  const { opened, store, id, file } = await setUp(dir.path);
  appendFileSync(file, '{"id":"torn');
  await (await mustOpen(store, id)).close();
  const sealed = readFileSync(file);
  const start = sealed.lastIndexOf('{"id":"torn') + '{"id":"torn'.length;
  for (let length = start; length <= sealed.length; length += 1) {
    writeFileSync(file, sealed.subarray(0, length));
    const writer = await mustOpen(store, id);
    await writer.append([prompt('on')]);
    await writer.close();
    // And once more: whatever was repaired stays repaired.
    await (await mustOpen(store, id)).close();
    expect((await store.read(id)).nodes.size, `cut at ${length}`).toBe(5);
  }
  await opened.store.close();
});

test('a damaged line stops writing until the user accepts exactly that damage', async () => {
  using dir = tempDir();
  const { opened, store, id, file } = await setUp(dir.path);
  const bytes = readFileSync(file);
  const at = bytes.indexOf('first');
  bytes.write('F', at);
  writeFileSync(file, bytes);
  const refused = await store.open(id);
  expect(refused).toMatchObject({ kind: 'read_only', reason: expect.stringContaining('Line 2 is damaged') });
  expect((await store.read(id)).nodes.size).toBe(2);
  expect(readFileSync(file).equals(bytes)).toBe(true);

  expect(await store.acceptBadLines(id)).toEqual({ accepted: 1 });
  expect(await store.acceptBadLines(id)).toEqual({ accepted: 0 });
  await (await mustOpen(store, id)).close();
  const later = readFileSync(file);
  later.write('G', at);
  writeFileSync(file, later);
  expect((await store.open(id)).kind).toBe('read_only');
  await opened.store.close();
});

test('a newer format, a copy under another name and a file without a header are never written to', async () => {
  using dir = tempDir();
  const { opened, store, file } = await setUp(dir.path);
  const copies = [
    ['aaaaaaaaaaaa', (text: string) => text, 'is a copy'],
    ['bbbbbbbbbbbb', (text: string) => text.slice(1), 'not a whole header'],
    ['cccccccccccc', (text: string) => text.slice(text.indexOf('\n') + 1), 'not a whole header'],
    ['dddddddddddd', () => '{"id":"', 'not a whole header'],
  ] as const;
  for (const [id, change, reason] of copies) {
    const copy = file.replace(/_[0-9a-f]{12}/, `_${id}`);
    copyFileSync(file, copy);
    writeFileSync(copy, change(readFileSync(file, 'utf8')));
    const before = readFileSync(copy);
    expect(await store.open(id as never)).toMatchObject({
      kind: 'read_only',
      reason: expect.stringContaining(reason),
    });
    expect(readFileSync(copy).equals(before)).toBe(true);
  }
  expect(await store.list()).toHaveLength(5);
  await expect(store.open('eeeeeeeeeeee' as never)).rejects.toMatchObject({ code: 'not_found' });
  await opened.store.close();
});

test('a second opening in the same process is told who holds the strand', async () => {
  using dir = tempDir();
  const { opened, store, id } = await setUp(dir.path);
  const writer = await mustOpen(store, id);
  expect(await store.open(id)).toMatchObject({
    kind: 'held',
    holder: expect.stringContaining(`process ${process.pid}`),
  });
  await expect(store.acceptBadLines(id)).rejects.toMatchObject({ code: 'held' });
  await writer.close();
  await (await mustOpen(store, id)).close();
  await opened.store.close();
});

test('a new file that is given up goes, also when its writer cannot be closed well', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const id = 'aaaaaaaaaaaa' as StrandId;
  const nothing = (): void => undefined;
  const writer = await createEmpty(
    {
      dirs: opened.dirs,
      process: readProcessIdentity(),
      clock: systemClock,
      onGrew: nothing,
      onOpened: nothing,
      onClosed: nothing,
    },
    { id, file: join(dir.path, 'new.jsonl') },
  );
  rmSync(leasePath(opened.dirs, id));
  mkdirSync(leasePath(opened.dirs, id));
  await expect(abandon(writer)).rejects.toMatchObject({ code: 'io' });
  expect(existsSync(writer.file)).toBe(false);
});
