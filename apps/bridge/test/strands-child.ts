/**
 * A writer in a process of its own, for the tests that kill, stop or starve it. Usage: node strands-child.ts MODE ROOT ID …
 * Speaks one JSON value per line on stdout, written synchronously, so that what was printed was also done.
 */
import { existsSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isBridgeError } from '@skein/core/protocol/errors';
import type { StrandId } from '@skein/core/record/ids';
import type { RecordBody } from '@skein/core/record/schema';
import { readProcessIdentity } from '../src/platform/host.ts';
import { takeLock } from '../src/platform/lock.ts';
import type { StrandWriter } from '../src/strands/types.ts';
import { answer, HEADER, openStore, prompt } from './strands-kit.ts';

const [mode = '', root = '', id = '', ...rest] = process.argv.slice(2);
const say = (value: object): void => void writeSync(1, `${JSON.stringify(value)}\n`);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sizes of D3: mostly small, some large, a few very large. */
const sizeOf = (kind: string): number => {
  const draw = Math.random();
  if (kind === 'big') return 8 * 1024 * 1024;
  if (kind === 'small' || draw < 0.8) return 1 + Math.floor(Math.random() * 5000);
  return 64 * 1024 + Math.floor(Math.random() * 512 * 1024);
};

/** Custom records are never spilled: the line itself is that large. */
const filler = (bytes: number): RecordBody => ({
  kind: 'custom',
  type: 'x.acme.fill',
  data: 'x'.repeat(bytes),
});

const faultOf = (error: unknown): object => {
  if (!isBridgeError(error)) throw error;
  return { code: error.code, errno: error.data['errno'] ?? null, message: error.message };
};

const openWriter = async (): Promise<StrandWriter | null> => {
  const { store } = await openStore(root);
  const outcome = await store.open(id as StrandId);
  if (outcome.kind === 'open') return outcome.writer;
  say({ refused: outcome.kind, why: outcome.kind === 'held' ? outcome.holder : outcome.reason });
  return null;
};

/** Appends for ever; every acknowledged id is printed. */
const writeForEver = async (): Promise<void> => {
  const writer = await openWriter();
  if (writer === null) return;
  say({ ready: true });
  for (;;) {
    const durable = Math.random() < 0.5;
    const records = await writer.append([filler(sizeOf(rest[0] ?? ''))], { durable });
    say({ acked: records.map((record) => record.id) });
  }
};

/** Opens, appends some, closes, again and again, as long as others let it. */
const takeTurns = async (): Promise<void> => {
  const { store } = await openStore(root);
  const name = rest[0] ?? '';
  const [rounds, perRound] = [Number(rest[1]), Number(rest[2])];
  const sizes = [1, 4095, 4096, 4097, 64 * 1024];
  let n = 0;
  let refused = 0;
  for (let round = 0; round < rounds; ) {
    const outcome = await store.open(id as StrandId);
    if (outcome.kind !== 'open') {
      if (outcome.kind !== 'held' || !outcome.holder.startsWith('process '))
        throw new Error(JSON.stringify(outcome));
      refused += 1;
      await pause(Math.random() * 5);
      continue;
    }
    for (let i = 0; i < perRound; i += 1) {
      n += 1;
      const data = { name, n, fill: 'y'.repeat(sizes[n % sizes.length] ?? 1) };
      const [record] = await outcome.writer.append([{ kind: 'custom', type: 'x.acme.turn', data }], {
        durable: i === 0,
      });
      say({ acked: record?.id, name, n });
    }
    await outcome.writer.close();
    round += 1;
    await pause(Math.random() * 4);
  }
  say({ done: true, refused });
};

/** Appends until the system refuses, waits until the limit is lifted (a line on stdin), and goes on. */
const writeUntilRefused = async (): Promise<void> => {
  const writer = await openWriter();
  if (writer === null) return;
  const acked: string[] = [];
  let fault: object | null = null;
  while (fault === null) {
    try {
      const [record] = await writer.append([filler(3000)], { durable: true });
      acked.push(record?.id ?? '');
    } catch (error) {
      fault = faultOf(error);
    }
  }
  say({ acked, fault, endsWhole: readFileSync(writer.file).at(-1) === 10 });
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const [record] = await writer.append([prompt('after')], { durable: true });
  await writer.close();
  say({ after: record?.id });
  process.exit(0);
};

/** On a file system that is really full: leaves a few bytes, appends until it is refused, frees, goes on. */
const fillDisk = async (): Promise<void> => {
  const { store } = await openStore(join(root, 'data'));
  const writer = await store.create(HEADER);
  const hog = join(root, 'hog');
  const acked: string[] = [];
  let faults = 0;
  for (let level = 0; level < 20; level += 1) {
    const { bavail, bsize } = statfsSync(root);
    writeFileSync(hog, Buffer.alloc(Math.max(0, (bavail - (level % 4)) * bsize)));
    for (let i = 0; i < 40; i += 1) {
      try {
        const [record] = await writer.append(
          [i % 7 === 6 ? prompt('z'.repeat(40_000 + level)) : filler(700 * (level + 1))],
          { durable: true },
        );
        acked.push(record?.id ?? '');
      } catch (error) {
        const fault = faultOf(error);
        if (!('errno' in fault) || fault.errno !== 'ENOSPC') throw error;
        faults += 1;
        break;
      }
      if (readFileSync(writer.file).at(-1) !== 10) throw new Error('a torn record was left');
    }
    if (readFileSync(writer.file).at(-1) !== 10) throw new Error('a torn record was left by a failed write');
    rmSync(hog);
    const [record] = await writer.append([prompt(`freed ${level}`)]);
    acked.push(record?.id ?? '');
  }
  await writer.close();
  const state = await store.read(writer.id);
  const missing = acked.filter((one) => !state.nodes.has(one as never)).length;
  say({ faults, acked: acked.length, missing, bad: state.bad.length, seq: state.seq });
  await store.close();
};

/** For strace: when are records written, synced, acknowledged. */
const acknowledge = async (): Promise<void> => {
  const { store } = await openStore(root);
  const writer = await store.create(HEADER);
  const append = async (text: string, body: RecordBody): Promise<void> => {
    await writer.append([body]);
    say({ acked: text });
  };
  await append('one', prompt('one'));
  await append('lazy', answer('lazy'));
  await Promise.all(['a', 'b', 'c'].map((text) => append(text, prompt(text))));
  await append('late', answer('late'));
  await pause(1300);
  await writer.close();
  say({ acked: 'closed' });
};

/** With the third fdatasync made to fail: data.json, header, then the prompt. */
const failSync = async (): Promise<void> => {
  const { store } = await openStore(root);
  const writer = await store.create(HEADER);
  let fault: object | null = null;
  try {
    await writer.append([prompt('first')]);
  } catch (error) {
    fault = faultOf(error);
  }
  const { nodes, bad } = await store.read(writer.id);
  const same = JSON.stringify([...writer.state.nodes]) === JSON.stringify([...nodes]);
  const [record] = await writer.append([prompt('second')]);
  await writer.close();
  const after = (await store.read(writer.id)).tip === record?.id;
  say({ fault, same, bad: bad.length, after });
  await store.close();
};

/** With every fdatasync slow: what a reader is shown of a durable record before it is on disk, and after. */
const slowSync = async (): Promise<void> => {
  const { store } = await openStore(root);
  const writer = await store.create(HEADER);
  const { cursor } = await store.window(writer.id, { turns: 1, maxRecords: 10, maxBytes: 1e6 });
  const size = statSync(writer.file).size;
  let acked = false;
  const shown = async (): Promise<void> => {
    const after = await store.readAfter(writer.id, cursor);
    const shown = after.kind === 'lines' ? after.items.length : after.reason;
    const [row] = await store.list();
    const { seq } = await store.read(writer.id);
    say({ shown, row: row?.turns, read: seq, state: writer.shownState.seq, acked });
  };
  const appended = writer.append([prompt('first')]).then(() => {
    acked = true;
  });
  while (statSync(writer.file).size === size) await pause(1);
  await shown();
  await appended;
  await shown();
  await store.close();
};

/** Says what the watch tells, and the notices. */
const watch = async (): Promise<void> => {
  const { store, notices } = await openStore(root);
  store.watch(({ id: changed }) => say({ changed }));
  while (notices.length === 0) await pause(20);
  await pause(200);
  for (const notice of notices) say({ notice });
  say({ ready: true });
  await pause(60_000);
};

/** Tries to take over every lock of a dead owner at the same moment as others, and keeps what it got. */
const raceForLocks = async (): Promise<void> => {
  const process = readProcessIdentity();
  say({ ready: true });
  while (!existsSync(join(root, 'go'))) await pause(0);
  for (let round = 0; round < Number(id); round += 1) {
    const outcome = takeLock(join(root, `lock-${round}`), { process, purpose: 'a race' });
    if (outcome.kind === 'locked') say({ got: round });
  }
  // Alive until the others are through: a dead winner could be taken over rightly.
  await pause(1500);
};

const modes: Record<string, () => Promise<void>> = {
  writeForEver,
  takeTurns,
  writeUntilRefused,
  fillDisk,
  acknowledge,
  failSync,
  slowSync,
  raceForLocks,
  watch,
};
await modes[mode]?.();
