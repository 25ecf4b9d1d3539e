/** The thread of the index follows files that other programs write: what it knows is what a fresh one would know. */
import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createIndexClient, type IndexClient } from '../../src/index/client.ts';
import { fileOf, keyOf, tempFolder } from './index-kit.ts';

const script = new URL('../../src/compose/index-worker.ts', import.meta.url);
const header =
  '{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T10:00:00.000Z","cwd":"/srv"}\n';
let lines = 0;
const line = (text: string): string => {
  lines += 1;
  const at = '2026-01-05T10:00:01.000Z';
  return `${JSON.stringify({ type: 'message', id: `m${lines}`, parentId: null, timestamp: at, message: { role: 'user', content: text } })}\n`;
};

const open = (dir: string, name: string): IndexClient =>
  createIndexClient({ script, databaseFile: join(dir, name), notice: () => undefined, nowMs: Date.now });

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
const answers = async (index: IndexClient): Promise<readonly number[]> => {
  const found: number[] = [];
  for (const word of WORDS) found.push((await index.find(word, 50)).total);
  return found;
};

test('after appending, rewriting, cutting, renaming, deleting and a killed thread the index is as a fresh one', async () => {
  using folder = tempFolder();
  const paths = new Set<string>();
  const at = (name: string): string => join(folder.dir, name);
  const files = () => [...paths].map((path) => fileOf(path, { key: keyOf(path) }));
  let index = open(folder.dir, 'kept.sqlite');
  let fresh = 0;
  const compare = async (): Promise<void> => {
    await index.sync(files(), () => undefined);
    fresh += 1;
    const other = open(folder.dir, `fresh-${fresh}.sqlite`);
    await other.sync(files(), () => undefined);
    expect(await answers(index)).toEqual(await answers(other));
    await other.close();
  };
  const steps: readonly (() => void | Promise<void>)[] = [
    () => {
      for (const name of ['a.jsonl', 'b.jsonl']) {
        writeFileSync(at(name), header + line(`alpha ${name}`) + line('beta'));
        paths.add(at(name));
      }
    },
    () => appendFileSync(at('a.jsonl'), line('gamma')),
    () => appendFileSync(at('a.jsonl'), line('delta').slice(0, -9)),
    () => appendFileSync(at('b.jsonl'), line('delta') + line('epsilon')),
    () =>
      writeFileSync(
        at('a.jsonl'),
        header + line('zeta, written anew and longer than what was there before, by far, in one line'),
      ),
    () => truncateSync(at('b.jsonl'), header.length),
    () => {
      renameSync(at('a.jsonl'), at('c.jsonl'));
      paths.delete(at('a.jsonl'));
      paths.add(at('c.jsonl'));
    },
    async () => {
      for (let more = 0; more < 200; more += 1) appendFileSync(at('c.jsonl'), line('gamma gamma'));
      const half = index.sync(files(), () => undefined).catch(() => undefined);
      await index.close();
      await half;
      index = open(folder.dir, 'kept.sqlite');
    },
    () => {
      rmSync(at('b.jsonl'));
      paths.delete(at('b.jsonl'));
    },
  ];
  for (const step of steps) {
    await step();
    await compare();
  }
  await index.close();
});

test('a line that is appended is found with the next look, and a search does not wait for one', async () => {
  using folder = tempFolder();
  const path = join(folder.dir, 'a.jsonl');
  writeFileSync(path, header + line('alpha').repeat(3000));
  const index = open(folder.dir, 'i.sqlite');
  const syncing = index.sync([fileOf(path, { key: keyOf(path) })], () => undefined);
  expect((await index.find('nowhere', 10)).total).toBe(0);
  await syncing;
  appendFileSync(path, line('omega'));
  await index.sync([fileOf(path, { key: keyOf(path) })], () => undefined);
  expect((await index.find('omega', 10)).total).toBe(1);
  await index.close();
});

test('a regular expression that runs away ends its thread, not the bridge, and the next search works', async () => {
  using folder = tempFolder();
  const path = join(folder.dir, 'a.jsonl');
  writeFileSync(path, header + line(`${'a'.repeat(40)}!`));
  const index = createIndexClient({
    script,
    databaseFile: join(folder.dir, 'i.sqlite'),
    notice: () => undefined,
    nowMs: Date.now,
    deadlineMs: 5000,
  });
  await index.sync([fileOf(path, { key: keyOf(path) })], () => undefined);
  await expect(index.find('re:/^(a+)+$/', 10)).rejects.toMatchObject({ code: 'limit' });
  expect((await index.find('a*', 10)).total).toBe(1);
  await index.close();
});
