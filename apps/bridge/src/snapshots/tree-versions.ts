/**
 * Versions that lie in a tree store and not among the blobs: what commands found and left. Read for showing, or brought
 * to the blobs before a restore rests on them.
 */
import { createHash } from 'node:crypto';
import type { FileState } from '@skein/core/restore/file-state';
import type { JournalEntry } from '@skein/core/restore/journal-entry';
import { hasBlob, storeBytes } from '../platform/tree-files-blobs.ts';
import { blobsDir, type StoreContext } from './deps.ts';

/** Contents by sha256. */
export type TreeTexts = ReadonlyMap<string, Uint8Array>;

interface Needed {
  readonly sha256: string;
  readonly bytes: number;
  readonly oid: string;
}

/**
 * Every version that these lines name in a tree store is among the blobs when it resolves, on disk. One that is lost is
 * left out: whoever needs it finds it missing. Fault `io`.
 */
export const bringFromTrees = async (
  store: StoreContext,
  entries: readonly JournalEntry[],
): Promise<void> => {
  for await (const { bytes } of contentsOf(store, entries, Number.POSITIVE_INFINITY)) {
    await storeBytes(blobsDir(store), bytes);
  }
};

/** The same for showing: nothing is written, and nothing over `maxBytes` is read. Fault `io`. */
export const textsFromTrees = async (
  store: StoreContext,
  entries: readonly JournalEntry[],
  maxBytes: number,
): Promise<TreeTexts> => {
  const texts = new Map<string, Uint8Array>();
  for await (const { sha256, bytes } of contentsOf(store, entries, maxBytes)) texts.set(sha256, bytes);
  return texts;
};

async function* contentsOf(
  store: StoreContext,
  entries: readonly JournalEntry[],
  maxBytes: number,
): AsyncGenerator<{ readonly sha256: string; readonly bytes: Uint8Array }> {
  if (store.trees.kind === 'none') return;
  for (const [key, needed] of missing(store, neededOf(entries))) {
    const wanted = [...needed.values()].filter(({ bytes }) => bytes <= maxBytes);
    for await (const { oid, bytes } of store.trees.store.read(key, wanted)) {
      const one = needed.get(oid);
      if (bytes === null || one === undefined) continue;
      // The store is git's; that its content is what the journal means is for us to see.
      if (createHash('sha256').update(bytes).digest('hex') === one.sha256)
        yield { sha256: one.sha256, bytes };
    }
  }
}

type ByStore = ReadonlyMap<string, ReadonlyMap<string, Needed>>;

function neededOf(entries: readonly JournalEntry[]): ByStore {
  const stores = new Map<string, Map<string, Needed>>();
  for (const entry of entries) {
    if (entry.kind !== 'mutation' || entry.trees === undefined) continue;
    const { store, pre, post } = entry.trees;
    const needed = stores.get(store) ?? new Map<string, Needed>();
    stores.set(store, needed);
    add(needed, entry.pre, pre);
    add(needed, entry.post, post);
  }
  return stores;
}

function add(needed: Map<string, Needed>, state: FileState, oid: string | null): void {
  if (state.type === 'file' && oid !== null)
    needed.set(oid, { sha256: state.sha256, bytes: state.bytes, oid });
}

function missing(store: StoreContext, stores: ByStore): ByStore {
  const left = new Map<string, Map<string, Needed>>();
  for (const [key, needed] of stores) {
    const some = new Map<string, Needed>();
    for (const [oid, one] of needed) {
      if (!hasBlob(blobsDir(store), one.sha256, one.bytes)) some.set(oid, one);
    }
    if (some.size > 0) left.set(key, some);
  }
  return left;
}
