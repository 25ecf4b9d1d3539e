/** Real stores in temporary folders, and records of every kind, for the tests of strands. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordId, StrandId } from '@skein/core/record/ids';
import { encodeLine } from '@skein/core/record/line';
import type { RecordBody, StrandRecord } from '@skein/core/record/schema';
import { systemClock } from '../src/platform/clock.ts';
import { readProcessIdentity } from '../src/platform/host.ts';
import { newOpId, newRecordId } from '../src/platform/ids.ts';
import type { NewHeader } from '../src/strands/create-strand.ts';
import { type DataDir, openDataDir } from '../src/strands/data-dir.ts';
import { openStrandStore } from '../src/strands/store.ts';
import type { StrandStore, StrandWriter } from '../src/strands/types.ts';

export const LONG = process.env['SKEIN_TEST_LONG'] === '1';

export const HEADER: NewHeader = {
  kind: 'header',
  format: 'skein',
  v: 1,
  cwd: '/nowhere/項目',
  versions: { skein: '0.1.0', node: '24.0.0', os: 'test' },
  repo: null,
  agent: 'script',
  origin: null,
};

export interface TempDir extends Disposable {
  readonly path: string;
}

/** `fast`: in memory where the system has such a folder, for suites that sync thousands of times. */
export const tempDir = (options: { readonly fast?: boolean } = {}): TempDir => {
  const parent = options.fast === true && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const path = mkdtempSync(join(parent, 'skein-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
};

export interface OpenedStore extends AsyncDisposable {
  readonly store: StrandStore;
  readonly dirs: DataDir;
  readonly notices: string[];
}

/** A store as main.ts makes one; background faults fail the test. */
export const openStore = async (
  root: string,
  options: { readonly foldCacheBytes?: number } = {},
): Promise<OpenedStore> => {
  const dirs = await openDataDir(root);
  const notices: string[] = [];
  const store = await openStrandStore({
    dirs,
    process: readProcessIdentity(),
    clock: systemClock,
    notice: (message) => notices.push(message),
    onFault: (error) => {
      throw error;
    },
    ...options,
  });
  return { store, dirs, notices, [Symbol.asyncDispose]: () => store.close() };
};

export const prompt = (text: string): RecordBody => ({
  kind: 'message',
  role: 'user',
  by: 'user',
  parts: [{ type: 'text', text }],
});

export const answer = (text: string): RecordBody => ({
  kind: 'message',
  role: 'assistant',
  parts: [{ type: 'text', text }],
  model: 'script-1',
  usage: { input: 10, output: 5 },
  stop: 'end',
});

export const settled = (turn: string): RecordBody => ({
  kind: 'turn',
  prompt: turn as RecordId,
  outcome: 'done',
  files: [{ path: 'src/データ.ts', status: 'modified', added: 3, removed: 1, by: 'gate' }],
  coverage: { level: 'full', reasons: [] },
});

export const mustOpen = async (store: StrandStore, id: StrandId): Promise<StrandWriter> => {
  const outcome = await store.open(id);
  if (outcome.kind !== 'open') throw new Error(`not opened: ${JSON.stringify(outcome)}`);
  return outcome.writer;
};

/** Appends every record kind once or more, with text of several scripts. Returns what was written. */
export const writeEveryKind = async (writer: StrandWriter): Promise<readonly StrandRecord[]> => {
  const records: StrandRecord[] = [];
  const add = async (...bodies: RecordBody[]): Promise<string> => {
    records.push(...(await writer.append(bodies)));
    return records.at(-1)?.id ?? '';
  };
  const first = await add(prompt('Bitte 編集する 🧵 файл'));
  await add({
    kind: 'message',
    role: 'assistant',
    parts: [
      { type: 'thinking', text: '考える', signature: 'c2lnbmF0dXJl' },
      { type: 'tool_call', call: 'c1', name: 'write', input: { path: 'a', text: '😀' } },
    ],
    stop: 'tool',
  });
  await add({ kind: 'decision', call: 'c1', tool: 'write', allowed: true, by: 'mode' });
  await add({
    kind: 'message',
    role: 'tool',
    parts: [{ type: 'tool_result', call: 'c1', status: 'ok', output: 'done' }],
  });
  await add(answer('Готово 👍'), settled(first));
  await add({ kind: 'change', setting: 'model', value: 'm2', by: 'user' });
  const second = await add(prompt('second'));
  await add({ kind: 'usage', model: 'm', usage: { input: 1, output: 1 }, source: 'task' });
  await add({ kind: 'digest', summary: 'summary', keepFrom: null, trigger: 'user' }, { kind: 'boundary' });
  await add({ kind: 'custom', type: 'x.acme.note', data: { a: [1, 2, { sum: '00000000' }] } });
  await add(settled(second), { kind: 'name', name: 'naïve' }, { kind: 'flag', pinned: true });
  await add({ kind: 'tip', to: first as RecordId, reason: 'offshoot' });
  await add({
    kind: 'restore',
    op: newOpId(),
    undoes: { turns: [first as RecordId] },
    direction: 'undo',
    scope: 'both',
    files: [],
  });
  return records;
};

/** The lines of a file as bytes without their end; what follows the last one separately. */
export const linesIn = (bytes: Buffer): { readonly lines: readonly Buffer[]; readonly tail: Buffer } => {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return { lines, tail: bytes.subarray(start) };
};

/** A strand file written without the store: for many or large ones. Gives its bytes. */
export const strandBytes = (
  id: string,
  bodies: readonly RecordBody[],
  at = '2026-01-02T03:04:05.678Z',
): Buffer => {
  let parent: RecordId | null = null;
  const lines: Uint8Array[] = [];
  for (const body of [{ ...HEADER, strand: id as StrandId } as RecordBody, ...bodies]) {
    const record: StrandRecord = { id: newRecordId(), parent, at, ...body };
    parent = record.id;
    lines.push(encodeLine(record));
  }
  return Buffer.concat(lines);
};

/** Bytes that this process has read through system calls so far (Linux), files and everything. */
export const bytesRead = (): number =>
  Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0);

/** Numbers in [0, 1) from a seed, the same everywhere. */
export const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};
