// Page state, queues and waypoints over real files.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strandIdSchema } from '@skein/core/record/ids';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newName } from '../platform/ids.ts';
import { openPageState } from './page-state.ts';
import { openQueues } from './queues.ts';
import { createWaypoints } from './waypoints.ts';

const A = strandIdSchema.parse('aaaaaaaaaaaa');
const B = strandIdSchema.parse('bbbbbbbbbbbb');

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'skein-state-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const nowIso = () => new Date().toISOString();
const openPage = () => openPageState({ path: join(dir, 'state/page.json'), nowIso });
const openAll = () => openQueues({ dir: join(dir, 'queues'), nowIso, newName });

describe('page state', () => {
  test('grows its revision by one a change and survives a restart', async () => {
    const page = await openPage();
    await page.set({ tabs: [A, B, A] });
    await page.set({ draft: { strand: A, text: 'half a' } });
    expect(await page.set({ draft: { strand: A, text: 'half a' } })).toMatchObject({ rev: 2 });
    expect((await openPage()).get()).toEqual({ rev: 2, tabs: [A, B], drafts: { [A]: 'half a' } });
    expect(await page.set({ draft: { strand: A, text: '' } })).toEqual({ rev: 3, tabs: [A, B], drafts: {} });
  });

  test('takes many changes at once, each counted', async () => {
    const page = await openPage();
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => page.set({ draft: { strand: `s${n}`, text: 't' } })),
    );
    expect((await openPage()).get().rev).toBe(30);
    expect(Object.keys(page.get().drafts)).toHaveLength(30);
  });

  test('that cannot be read is put aside', async () => {
    await mkdir(join(dir, 'state'));
    await writeFile(join(dir, 'state/page.json'), '\u0000\u0000');
    const page = await openPage();
    expect(page.get().rev).toBe(0);
    expect(page.aside).toContain('page.json.unreadable-');
    expect(await readFile(page.aside ?? '', 'utf8')).toBe('\u0000\u0000');
  });

  test('a strand called __proto__ is a name like any other', async () => {
    const page = await openPage();
    await page.set({ draft: { strand: '__proto__', text: 'x' } });
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(Object.getPrototypeOf(page.get().drafts)).toBe(Object.prototype);
  });

  test('that cannot be saved is reported and does not count', async () => {
    const page = await openPage();
    await writeFile(join(dir, 'state'), 'in the way');
    await expect(page.set({ tabs: [A] })).rejects.toMatchObject({ code: 'io' });
    expect(page.get().rev).toBe(0);
    await rm(join(dir, 'state'));
    expect(await page.set({ tabs: [A] })).toMatchObject({ rev: 1 });
  });
});

describe('queues', () => {
  test('keep their order across a restart', async () => {
    const queues = await openAll();
    await Promise.all(['one', 'two', 'three'].map((text) => queues.add(A, { text, kind: 'queue' })));
    await queues.add(B, { text: 'other', kind: 'steer' });
    const again = await openAll();
    expect((await again.list(A)).map((prompt) => prompt.text)).toEqual(['one', 'two', 'three']);
    expect(Object.keys(await again.all()).sort()).toEqual([A, B]);
  });

  test('give the first, edit, remove and take back', async () => {
    const queues = await openAll();
    const one = await queues.add(A, { text: 'one', kind: 'queue' });
    const two = await queues.add(A, { text: 'two', kind: 'queue' });
    expect(await queues.first(A)).toEqual(one);
    expect((await queues.edit(A, two.id, 'zwei')).map((prompt) => prompt.text)).toEqual(['one', 'zwei']);
    expect(await queues.edit(A, 'unknown', 'x')).toHaveLength(2);
    const taken = await queues.takeNext(A);
    expect(taken).toEqual(one);
    await queues.putBack(A, one);
    await queues.putBack(A, one);
    expect((await queues.list(A)).map((prompt) => prompt.text)).toEqual(['one', 'zwei']);
    await queues.edit(A, one.id, null);
    await queues.takeNext(A);
    expect(await queues.takeNext(A)).toBeNull();
    expect(await queues.all()).toEqual({});
  });

  test('two that take at the same time get two different prompts', async () => {
    const queues = await openAll();
    await queues.add(A, { text: 'one', kind: 'queue' });
    await queues.add(A, { text: 'two', kind: 'queue' });
    const taken = await Promise.all([queues.takeNext(A), queues.takeNext(A), queues.takeNext(A)]);
    expect(taken.map((prompt) => prompt?.text)).toEqual(['one', 'two', undefined]);
  });

  test('one that could not be opened for a moment works again afterwards', async () => {
    const queues = await openAll();
    const path = join(dir, 'queues', `${A}.json`);
    await mkdir(path, { recursive: true });
    await expect(queues.add(A, { text: 'one', kind: 'queue' })).rejects.toMatchObject({ code: 'io' });
    await rm(path, { recursive: true });
    expect(await queues.add(A, { text: 'two', kind: 'queue' })).toMatchObject({ text: 'two' });
  });

  test('empty files go, unreadable ones are put aside, foreign names are left alone', async () => {
    const queues = await openAll();
    await queues.add(A, { text: 'one', kind: 'queue' });
    await queues.takeNext(A);
    await writeFile(join(dir, 'queues', `${B}.json`), '{');
    await writeFile(join(dir, 'queues', 'notes.json'), '{}');
    const again = await openAll();
    expect(again.aside).toHaveLength(1);
    const names = await readdir(join(dir, 'queues'));
    expect(names).toHaveLength(2);
    expect(names).toContain('notes.json');
  });
});

test('waypoints are per terminal; many terminals at once lose none, the oldest are forgotten', async () => {
  const waypoints = createWaypoints({ path: join(dir, 'waypoints.json'), nowIso });
  expect(await waypoints.get('tty1')).toBeNull();
  await Promise.all(Array.from({ length: 20 }, (_, n) => waypoints.set(`tty${n}`, n % 2 === 0 ? A : B)));
  expect([await waypoints.get('tty4'), await waypoints.get('tty5')]).toEqual([A, B]);
  await writeFile(join(dir, 'waypoints.json'), '{"tty4":{"strand":"../x","at":1},"tty5":5}');
  expect(await waypoints.get('tty4')).toBeNull();
  await waypoints.set('tty4', B);
  expect(await waypoints.get('tty4')).toBe(B);
});
