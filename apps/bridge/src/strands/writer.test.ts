import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordBody } from '@skein/core/record/schema';
import { replay } from '@skein/core/strand/replay';
import { lineOfWindowItem } from '@skein/core/strand/window-item';
import { expect, test } from 'vitest';
import { CHILD } from '../../test/strands-children.ts';
import { answer, HEADER, openStore, prompt, tempDir, writeEveryKind } from '../../test/strands-kit.ts';
import { MAX_RECORD_BYTES } from './fold-file.ts';

test('the state of a writer is the fold of its file', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const writer = await opened.store.create(HEADER);
  const records = await writeEveryKind(writer);
  const lines = [];
  for await (const { item } of opened.store.lines(writer.id)) lines.push(lineOfWindowItem(item));
  const folded = replay(lines);
  expect(writer.state).toEqual(folded);
  expect(writer.shownState).toEqual(folded);
  expect([...folded.nodes.values()].slice(1).map(({ record }) => record)).toEqual(records);
  expect(folded.gaps).toEqual([]);
});

test('appends of the same moment stay in order, each is answered with its own records', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const writer = await opened.store.create(HEADER);
  const texts = Array.from({ length: 50 }, (_, i) => `message ${i}`);
  const answers = await Promise.all(
    texts.map((text) => writer.append([i3(text) ? prompt(text) : answer(text)])),
  );
  const said = answers.map(([record]) => JSON.stringify(record?.kind === 'message' ? record.parts : null));
  expect(said).toEqual(texts.map((text) => JSON.stringify([{ type: 'text', text }])));
  expect((await opened.store.read(writer.id)).gaps).toEqual([]);
});
const i3 = (text: string): boolean => Number(text.split(' ')[1]) % 3 === 0;

test('what cannot be a record is refused, and the strand goes on', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const writer = await opened.store.create(HEADER);
  let deep: unknown = 1;
  for (let i = 0; i < 500; i += 1) deep = [deep];
  const custom = (data: unknown): RecordBody => ({ kind: 'custom', type: 'x.a.b', data: data as never });
  const size = statSync(writer.file).size;
  await expect(writer.append([custom(deep)])).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(writer.append([{ kind: 'tip', to: 'nonsense' } as never])).rejects.toMatchObject({
    code: 'invalid_input',
  });
  await expect(writer.append([{ ...HEADER, strand: writer.id } as never])).rejects.toMatchObject({
    code: 'internal',
  });
  await expect(writer.append([custom('x'.repeat(MAX_RECORD_BYTES))])).rejects.toMatchObject({
    code: 'limit',
  });
  expect(statSync(writer.file).size).toBe(size);
  await writer.append([custom({ lone: '\ud83d' })]);
  expect(writer.state.seq).toBe(2);
  await writer.close();
  await expect(writer.append([prompt('late')])).rejects.toMatchObject({ code: 'internal' });
});

test('a writer that lost its lease, or whose file others changed, writes nothing more', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const lost = await opened.store.create(HEADER);
  rmSync(join(opened.dirs.leases, `${lost.id}.lease`));
  await expect(lost.append([prompt('x')])).rejects.toMatchObject({ code: 'held' });
  const changed = await opened.store.create(HEADER);
  appendFileSync(changed.file, 'x\n');
  const before = readFileSync(changed.file);
  await expect(changed.append([prompt('x')])).rejects.toMatchObject({ code: 'held' });
  await expect(changed.append([prompt('x')])).rejects.toMatchObject({ code: 'held' });
  expect(readFileSync(changed.file).equals(before)).toBe(true);
});

/** What the system was asked to do, in order: `strace` writes it down, and can make single calls fail. */
const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const trace = (root: string, mode: string, options: readonly string[] = [], threads = 1) => {
  const log = join(root, 'trace');
  const args = ['-f', '-y', '-s', '200', '-o', log, '-e', 'trace=write,fsync,fdatasync', ...options];
  const run = spawnSync('strace', [...args, process.execPath, CHILD, mode, join(root, 'data')], {
    encoding: 'utf8',
    // One thread where single calls fail, because strace counts the calls of each thread.
    env: { ...process.env, UV_THREADPOOL_SIZE: String(threads) },
  });
  return {
    said: run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
    stderr: run.stderr,
    log: readFileSync(log, 'utf8'),
  };
};

test.skipIf(!canTrace)(
  'a durable record is on disk before it is acknowledged, and several share a sync',
  { timeout: 60_000 },
  () => {
    using dir = tempDir();
    const { log, stderr } = trace(dir.path, 'acknowledge');
    expect(stderr).toBe('');
    const steps = log.split('\n').flatMap((line) => {
      if (line.includes('.jsonl>') && /(fsync|fdatasync)\(/.test(line)) return ['sync'];
      if (line.includes('.jsonl>') && line.includes('write('))
        return [/text\\":\\"([a-z]+)/.exec(line)?.[1] ?? 'record'];
      return /write\(1<.*acked\\":\\"([a-z]+)/.exec(line)?.[1] === undefined
        ? []
        : [`ack ${/acked\\":\\"([a-z]+)/.exec(line)?.[1]}`];
    });
    const from = steps.indexOf('one');
    expect(steps.slice(from)).toEqual([
      'one',
      'sync',
      'ack one',
      'lazy',
      'ack lazy',
      'a',
      'b',
      'c',
      'sync',
      'ack a',
      'ack b',
      'ack c',
      'late',
      'ack late',
      'sync',
      'ack closed',
    ]);
  },
);

test.skipIf(!canTrace)(
  'after a failed sync the caller is told, the file is read again, and writing goes on',
  { timeout: 60_000 },
  () => {
    using dir = tempDir();
    const { said, stderr } = trace(dir.path, 'failSync', ['-e', 'inject=fdatasync:error=EIO:when=3']);
    expect(stderr).toBe('');
    expect(said.at(-1)).toMatchObject({
      fault: { code: 'io', errno: 'EIO' },
      same: true,
      bad: 0,
      after: true,
    });
  },
);

test.skipIf(!canTrace)('nobody is shown a durable record before it is on disk', { timeout: 60_000 }, () => {
  using dir = tempDir();
  const { said, stderr } = trace(dir.path, 'slowSync', ['-e', 'inject=fdatasync:delay_enter=500000'], 4);
  expect(stderr).toBe('');
  expect(said).toEqual([
    { shown: 0, row: 0, read: 1, state: 1, acked: false },
    { shown: 1, row: 1, read: 2, state: 2, acked: true },
  ]);
});
