/**
 * Net 2 of a turn: the work tree before its first command and after its end. What commands changed between the two goes
 * into the turn's journal, so that undo, redo and recovery treat it like any other change.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { BridgeError } from '@skein/core/protocol/errors';
import type { Sha256 } from '@skein/core/record/ids';
import { type PathRef, pathKey } from '@skein/core/record/path-ref';
import { attributeChanges, type SeenChange } from '@skein/core/restore/attribute';
import { mutationsOf } from '@skein/core/restore/effects';
import type { FileState } from '@skein/core/restore/file-state';
import { type BytePath, bytesOf, textOf } from '../platform/byte-path.ts';
import type { GateContext, GateMemory, TurnTrees } from './gate-context.ts';
import { appendEntries, readJournal } from './journal.ts';
import { leftOutReasons } from './left-out-reasons.ts';
import { markOpen } from './open-marker.ts';
import type { Capture, FileVersion, TreeDiff, WorkTree } from './trees/types.ts';

/** Tools wait so long at most; so does the end of a turn. */
const DEADLINE_MS = 25_000;
/** More changes of one turn are not journalled one by one. */
const MAX_CHANGES = 20_000;

/** Never rejects: a turn goes on without, and its coverage says so. */
export const captureBefore = async (gate: GateContext, signal: AbortSignal): Promise<void> => {
  const { memory, store } = gate;
  if (memory.trees.kind !== 'not_yet') return;
  memory.trees = await attempt(gate, signal, async () => {
    const access = store.trees;
    if (access.kind === 'none') return { kind: 'without', reason: access.reason };
    const opened = await access.store.open(gate.root);
    if (opened.kind === 'unsafe') return { kind: 'without', reason: UNSAFE };
    const { journalled } = memory;
    const capture = await opened.tree.capture();
    opened.tree.hold(capture);
    return { kind: 'captured', tree: opened.tree, capture, journalled };
  });
};

const UNSAFE =
  'Commands ran in a home or system folder outside any repository: what they changed there cannot be undone.';
const LATE =
  'The folder could not be captured in time before the first command: what commands changed cannot be undone.';

const attempt = async (
  gate: GateContext,
  signal: AbortSignal,
  capture: () => Promise<TurnTrees>,
): Promise<TurnTrees> => {
  const late = new AbortController();
  const timeout = wait(DEADLINE_MS, null, { signal: AbortSignal.any([late.signal, signal]) }).catch(
    () => null,
  );
  const work = capture();
  try {
    const found = await Promise.race([work, timeout]);
    if (found !== null) return found;
    // It goes on: the next turn finds its work done. What it saw is of no use to this one.
    work.then(letGo, gate.store.onFault);
    return { kind: 'without', reason: LATE };
  } catch (error) {
    return { kind: 'without', reason: failed(error) };
  } finally {
    late.abort();
  }
};

const letGo = (trees: TurnTrees): void => {
  if (trees.kind === 'captured') trees.tree.letGo(trees.capture);
};

const failed = (error: unknown): string => {
  if (!(error instanceof BridgeError)) throw error;
  return `The folder could not be captured, so what commands changed cannot be undone. ${error.message}`;
};

/** Journals what commands did; returns why something of it is not covered. Fault `io` of the journal. */
export const captureAfter = async (gate: GateContext): Promise<readonly string[]> => {
  const { memory, store } = gate;
  const { trees } = memory;
  if (trees.kind === 'without') return [trees.reason];
  if (trees.kind === 'not_yet') return [];
  store.settling.add(gate.root);
  try {
    const after = await afterOf(trees.tree);
    if (typeof after === 'string') return [after];
    const diff = trees.tree.diff(trees.capture, after);
    if (diff === 'lost')
      return ['The capture before the commands was lost: what they changed cannot be undone.'];
    return await journalChanges(gate, { ...trees, after, diff });
  } finally {
    store.settling.delete(gate.root);
    trees.tree.letGo(trees.capture);
  }
};

const afterOf = async (tree: WorkTree): Promise<Capture | string> => {
  const late = new AbortController();
  try {
    const timeout = wait(DEADLINE_MS, null, { signal: late.signal }).catch(() => null);
    const found = await Promise.race([tree.capture(), timeout]);
    return (
      found ??
      'The folder could not be captured in time after the turn: what commands changed cannot be undone.'
    );
  } catch (error) {
    return failed(error);
  } finally {
    late.abort();
  }
};

interface Found {
  readonly tree: WorkTree;
  readonly capture: Capture;
  readonly after: Capture;
  readonly diff: TreeDiff;
  readonly journalled: number;
}

const journalChanges = async (gate: GateContext, found: Found): Promise<readonly string[]> => {
  const { store, strand, turn, memory } = gate;
  const { changes, unknown } = found.diff;
  const reasons = leftOutReasons(unknown);
  if (changes.length > MAX_CHANGES)
    return [
      ...reasons,
      `Commands changed ${changes.length} files, more than the ${MAX_CHANGES} that can be undone.`,
    ];
  const journal = await readJournal(store, strand);
  const lines = attributeChanges({
    changes: changes.map((change) => seen(change, found)),
    mutations: mutationsOf(journal.entries, new Set([turn])),
    journalledBefore: found.journalled,
    call: memory.ungated.at(-1) ?? '',
    ranAfterLastWrite: (path) => (memory.last.get(pathKey(path))?.ungated ?? 0) < memory.ungated.length,
    writtenByOthers: (path) => writtenByOthers(memory, path),
    othersRanCommands: [...memory.others].some(({ ungated }) => ungated.length > 0),
  });
  if (lines.length === 0) return reasons;
  // A line never names what is not kept.
  await found.tree.pin({ strand, turn }, [found.capture, found.after]);
  await store.failpoint?.('trees.pinned');
  if (!memory.marked) await markOpen(store, strand, turn);
  memory.marked = true;
  await appendEntries(
    store,
    strand,
    lines.map((line) => ({ kind: 'mutation', turn, temp: null, ...line })),
  );
  return reasons;
};

const writtenByOthers = (memory: GateMemory, path: PathRef): FileState | undefined => {
  const key = pathKey(path);
  const written = [...memory.others]
    .map((other) => other.last.get(key)?.post)
    .find((post) => post !== undefined);
  return written ?? memory.restored.get(key);
};

const seen = ({ path, before, after }: TreeDiff['changes'][number], { tree, diff }: Found): SeenChange => ({
  path: refOfPath(path),
  before: stateOf(before),
  after: stateOf(after),
  madeDirs: diff.newFolders.filter((folder) => path.startsWith(`${folder}/`)).map(refOfPath),
  trees: { store: tree.key, pre: before?.oid ?? null, post: after?.oid ?? null },
});

const refOfPath = (path: BytePath): PathRef => textOf(path) ?? { b64: bytesOf(path).toString('base64') };

const stateOf = (version: FileVersion | null): FileState => {
  if (version === null) return { type: 'absent' };
  if (version.type === 'file')
    return { type: 'file', sha256: version.sha256 as Sha256, bytes: version.bytes, mode: version.mode };
  const target = version.target === null ? null : textOf(version.target);
  return target === null
    ? { type: 'other', reason: 'it is a link whose target is not UTF-8' }
    : { type: 'link', target };
};
