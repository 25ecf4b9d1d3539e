/** Files as they were at a record of a session: which ones it had changed by then, and one's text then and now. */
import { BridgeError, isBridgeError } from '@skein/core/protocol/errors';
import type { FilesAt, VersionAt } from '@skein/core/protocol/past';
import type { FileAt } from '@skein/core/protocol/restore';
import type { RecordId, StrandId, TurnId } from '@skein/core/record/ids';
import { type PathRef, pathKey } from '@skein/core/record/path-ref';
import type { FileChange } from '@skein/core/record/schema';
import { pathTo } from '@skein/core/strand/path';
import { isPrompt } from '@skein/core/strand/prompts';
import type { StrandState } from '@skein/core/strand/replay';
import { decodeUtf8 } from '@skein/core/text/utf8';
import type { SnapshotStore } from '../snapshots/types.ts';

export interface FilesAtDeps {
  readonly state: (strand: StrandId) => Promise<StrandState>;
  readonly isForeign: (strand: StrandId) => Promise<boolean>;
  readonly snapshots: Pick<SnapshotStore, 'fileAt' | 'turnDiff'>;
  /** What lies at a path of a workspace now. Fault `io`. */
  readonly fileNow: (root: string, path: string) => Promise<FileNow>;
}

export interface FileNow {
  readonly type: 'file' | 'link' | 'absent';
  /** The content, or where the link leads. */
  readonly bytes: Uint8Array;
}

const MAX_TEXT_BYTES = 2 * 1024 * 1024;
const FOREIGN = 'The session ran in another tool, so Skein kept no versions of its files.';

export const createFilesAt = (deps: FilesAtDeps) => ({
  /** Turns count as a whole. Faults: `not_found` (record), `unreadable`, `io`. */
  async files(input: { readonly strand: StrandId; readonly at: RecordId }): Promise<FilesAt> {
    if (await deps.isForeign(input.strand)) return { held: false, why: FOREIGN };
    const { state, root } = await open(deps, input);
    const turns = turnsUpTo(state, input.at);
    const { files } = await deps.snapshots.turnDiff({ strand: input.strand, root }, turns);
    const net = new Map(files.map(({ path, status }) => [pathKey(path), status]));
    const changed = lastChanges(state, turns);
    return {
      held: true,
      turn: turns.at(-1) ?? null,
      files: [...changed.values()].flatMap(({ path, status, turn }) => {
        // Changed and changed back is no change; without any versions left the record's own word has to do.
        const now = net.get(pathKey(path)) ?? (net.size === 0 ? status : null);
        return now === null ? [] : [{ path, status: now, turn }];
      }),
    };
  },
  /** Faults: `not_found` (record, path), `io`. A version that was given back or lost is `held: false`. */
  async version(input: {
    readonly strand: StrandId;
    readonly at: RecordId;
    readonly path: string;
  }): Promise<VersionAt> {
    if (await deps.isForeign(input.strand)) return { held: false, why: FOREIGN };
    const { root, end } = await open(deps, input);
    const then = await versionOrWhy(deps.snapshots, { strand: input.strand, root }, input.path, end);
    if ('why' in then) return { held: false, why: then.why };
    const now = await deps.fileNow(root, input.path);
    const bytes = Buffer.from(then.b64, 'base64');
    return {
      held: true,
      path: then.path,
      type: then.type,
      binary: bytes.includes(0) || now.bytes.includes(0),
      was: then.type === 'absent' ? null : textOf(bytes),
      now: now.type === 'absent' ? null : textOf(now.bytes),
      nowType: now.type,
      same: then.type === now.type && bytes.equals(now.bytes),
    };
  },
});

const open = async (
  deps: FilesAtDeps,
  { strand, at }: { readonly strand: StrandId; readonly at: RecordId },
): Promise<{ readonly state: StrandState; readonly root: string; readonly end: string }> => {
  const state = await deps.state(strand);
  const { header } = state;
  if (header === null) throw new BridgeError('unreadable', 'This session has no readable header.');
  const node = state.nodes.get(at);
  if (node === undefined)
    throw new BridgeError('not_found', 'There is no such record in this session.', { data: { record: at } });
  return {
    state,
    root: header.repo?.root ?? header.cwd,
    end: state.turnRecords.get(at)?.at ?? node.at,
  };
};

const turnsUpTo = (state: StrandState, at: RecordId): readonly TurnId[] =>
  pathTo(state, at)
    .filter((record) => isPrompt(record))
    .map(({ id }) => id);

const lastChanges = (state: StrandState, turns: readonly TurnId[]) => {
  const changes = new Map<string, { path: PathRef; status: FileChange['status']; turn: TurnId }>();
  for (const turn of turns)
    for (const { path, status } of state.turnRecords.get(turn)?.files ?? [])
      changes.set(pathKey(path), { path, status, turn });
  return changes;
};

const versionOrWhy = async (
  snapshots: FilesAtDeps['snapshots'],
  workspace: { readonly strand: StrandId; readonly root: string },
  ...[path, end]: [string, string]
): Promise<FileAt | { readonly why: string }> => {
  try {
    return await snapshots.fileAt(workspace, path, end);
  } catch (error) {
    if (!isBridgeError(error) || error.code !== 'unreadable') throw error;
    return { why: error.message };
  }
};

const textOf = (bytes: Uint8Array): string | null =>
  bytes.length > MAX_TEXT_BYTES || bytes.includes(0) ? null : decodeUtf8(bytes);
