/**
 * Paths that an agent names before it runs a command: parked first, and looked at again afterwards. A folder stands
 * for everything below it. What the command leaves is the shell's work in the journal.
 */
import { pathKey } from '@skein/core/record/path-ref';
import { type FileState, sameFileState } from '@skein/core/restore/file-state';
import { walkFrom } from '../platform/tree-files-walk.ts';
import { parkOf } from './deps.ts';
import { lookAt } from './file-states.ts';
import { missingFolders } from './folders.ts';
import type { GateContext } from './gate-context.ts';
import { journalMutations, type Mutation } from './gate-journal.ts';
import { findPlace } from './gate-place.ts';
import { isProtectedName } from './protected-paths.ts';
import { type Refused, refuse, refusedPark } from './refusal.ts';
import { type Parts, refOf } from './tree-path.ts';
import type { TurnGate } from './types.ts';

type Request = Parameters<TurnGate['checkpoint']>[0];
type Checkpoint = Awaited<ReturnType<TurnGate['checkpoint']>>;

export const MAX_ENTRIES = 2000;
const MAX_BYTES = 256 * 1024 * 1024;

/** By path key. */
interface Listing {
  readonly paths: ReadonlyMap<string, Parts>;
  readonly folders: ReadonlySet<string>;
}
type Parked = ReadonlyMap<string, { readonly parts: Parts; readonly pre: FileState }>;

/** `settle` is called once, after the command; its fault is `io`. */
export const gateCheckpoint = async (gate: GateContext, request: Request): Promise<Checkpoint> => {
  const roots = await findRoots(gate, request.paths);
  if ('kind' in roots) return roots;
  try {
    const before = list(gate, roots);
    const parked = before === null ? null : await parkAll(gate, before);
    if (before === null || parked === null) return tooMuch();
    const lines = [...parked.values()].map(({ parts, pre }) => ({
      ...line(request.call, parts),
      pre,
      post: pre,
    }));
    await journalMutations(gate, lines);
    return { kind: 'parked', settle: () => settleNamed(gate, request, { roots, before, parked }) };
  } catch (error) {
    return refusedPark(request.paths.join(', '), error);
  }
};

const line = (call: string, parts: Parts) =>
  ({ call, path: refOf(parts), madeDirs: [], temp: null, by: 'shell' }) as const;

const tooMuch = (): Refused =>
  refuse(
    'park_failed',
    `checkpoint_paths stand for more than ${MAX_ENTRIES} entries or ${MAX_BYTES / 1024 / 1024} MiB. Name fewer.`,
  );

/** Each named path and, when it is a link, what it leads to. */
async function findRoots(gate: GateContext, paths: readonly string[]): Promise<readonly Parts[] | Refused> {
  const roots = new Map<string, Parts>();
  for (const path of paths) {
    for (const followLast of [false, true]) {
      const place = await findPlace(gate, path, { access: 'write', followLast });
      if (place.kind === 'refused') return place;
      roots.set(pathKey(refOf(place.parts)), place.parts);
    }
  }
  return [...roots.values()];
}

/** Null when there is too much. */
function list(gate: GateContext, roots: readonly Parts[]): Listing | null {
  const paths = new Map<string, Parts>();
  const folders = new Set<string>();
  for (const root of roots) {
    const skip = (name: Uint8Array): boolean => isProtectedName(Buffer.from(name).toString('utf8'));
    const walk = walkFrom(gate.root, root, { skip, max: MAX_ENTRIES });
    if (walk === null) return null;
    for (const path of walk.paths) paths.set(pathKey(refOf(path)), path);
    for (const folder of walk.folders) folders.add(pathKey(refOf(folder)));
  }
  return paths.size > MAX_ENTRIES ? null : { paths, folders };
}

/** Null when it is too much. */
async function parkAll(gate: GateContext, { paths }: Listing): Promise<Parked | null> {
  const parked = new Map<string, { readonly parts: Parts; readonly pre: FileState }>();
  let bytes = 0;
  for (const [key, parts] of paths) {
    const { state: pre } = await lookAt(gate.root, parts, parkOf(gate.store));
    if (pre.type === 'other' || pre.type === 'dir') continue;
    bytes += pre.type === 'file' ? pre.bytes : 0;
    if (bytes > MAX_BYTES) return null;
    parked.set(key, { parts, pre });
  }
  return parked;
}

async function settleNamed(
  gate: GateContext,
  { call, paths }: Request,
  named: { readonly roots: readonly Parts[]; readonly before: Listing; readonly parked: Parked },
): Promise<void> {
  const now = list(gate, named.roots);
  if (now === null) gate.memory.unlisted.add(paths.join(', '));
  const lines: Mutation[] = [];
  for (const [key, parts] of new Map([...named.before.paths, ...(now?.paths ?? [])])) {
    const pre = gate.memory.last.get(key)?.post ?? named.parked.get(key)?.pre ?? { type: 'absent' };
    const { state: post } = await lookAt(gate.root, parts, parkOf(gate.store));
    if (!isJournalled(pre, post)) continue;
    const madeDirs = post.type === 'absent' ? [] : missingFolders(parts, foldersBefore(named.before, parts));
    lines.push({ ...line(call, parts), pre, post, madeDirs });
  }
  await journalMutations(gate, lines);
}

/** A new folder is known by what lies in it; a pipe or device is nothing that could be brought back. */
function isJournalled(pre: FileState, post: FileState): boolean {
  if (post.type === 'other' || (post.type === 'dir' && pre.type === 'absent')) return false;
  return !sameFileState(pre, post);
}

/** How many folders of the path were there before the command. */
function foldersBefore({ folders }: Listing, parts: Parts): number {
  for (let length = parts.length - 1; length > 0; length -= 1) {
    if (folders.has(pathKey(refOf(parts.slice(0, length))))) return length;
  }
  return 0;
}
