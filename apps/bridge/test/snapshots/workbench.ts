/** A workspace with a snapshot store and a history of turns and restores, as the flows keep it. For tests. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RestoreRequest, RestoreResult } from '@skein/core/protocol/restore';
import type { OpId, StrandId, TurnId } from '@skein/core/record/ids';
import type { PathRef } from '@skein/core/record/path-ref';
import type { RestoreScope } from '@skein/core/record/schema';
import { systemClock } from '../../src/platform/clock.ts';
import { readProcessIdentity } from '../../src/platform/host.ts';
import { newName, newOpId, newRecordId, newStrandId } from '../../src/platform/ids.ts';
import { openSnapshotStore } from '../../src/snapshots/store.ts';
import type { TreeAccess } from '../../src/snapshots/tree-access.ts';
import type { SnapshotStore, TurnGate } from '../../src/snapshots/types.ts';

export interface Workbench {
  readonly dataDir: string;
  readonly root: string;
  readonly outside: string;
  readonly strand: StrandId;
  readonly store: SnapshotStore;
  /** Ops whose record the strand would hold. */
  readonly recorded: Set<OpId>;
  /** One whole turn. */
  turn(work: (gate: TurnGate) => Promise<unknown>, options?: { strand?: StrandId }): Promise<TurnId>;
  /** A turn that is still open. */
  openGate(options?: { strand?: StrandId }): Promise<{ readonly gate: TurnGate; readonly turn: TurnId }>;
  newStrand(): StrandId;
  undo(turn: TurnId, options?: Options): Promise<RestoreResult>;
  redo(op: OpId, options?: Options): Promise<RestoreResult>;
  preview(turn: TurnId, options?: Options): Promise<RestoreResult>;
  recover(strand?: StrandId): ReturnType<SnapshotStore['recover']>;
  path(...parts: string[]): string;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Options {
  readonly scope?: RestoreScope;
  readonly plan?: string;
  readonly op?: OpId;
  readonly strand?: StrandId;
  readonly expects?: readonly PathRef[];
  readonly paths?: RestoreRequest['paths'];
  readonly hunks?: RestoreRequest['hunks'];
  readonly choices?: RestoreRequest['choices'];
  readonly commit?: () => Promise<void>;
}

/** Gated writes only. */
export const NO_TREES: TreeAccess = {
  kind: 'none',
  reason: 'git was not found: what commands changed outside the write gate cannot be undone.',
};

/** A fault beside a call fails the test. */
export const rethrow = (error: unknown): never => {
  throw error;
};

/** For calls that nobody interrupts. */
export const never = new AbortController().signal;

/** A new folder in memory where there is such a thing: for tests whose time would go into fsync. */
export const quickFolder = (): string =>
  mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : realpathSync(tmpdir()), 'skein-snapshots-'));

export const openStore = (
  dataDir: string,
  failpoint?: (name: string) => void | Promise<void>,
  trees: TreeAccess = NO_TREES,
): SnapshotStore =>
  openSnapshotStore({
    dataDir,
    process: readProcessIdentity(),
    clock: systemClock,
    newRecordId,
    newName,
    trees,
    onFault: rethrow,
    failpoint,
  });

export const createWorkbench = (
  options: {
    readonly failpoint?: (name: string) => void | Promise<void>;
    readonly base?: string;
    readonly strand?: StrandId;
    readonly trees?: TreeAccess;
  } = {},
): Workbench => {
  const base = options.base ?? realpathSync(mkdtempSync(join(tmpdir(), 'skein-snapshots-')));
  const [dataDir, root, outside] = ['data', 'work', 'outside'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [dataDir, root, outside]) mkdirSync(folder, { recursive: true });
  const strand = options.strand ?? newStrandId();
  const store = openStore(dataDir, options.failpoint, options.trees);
  const recorded = new Set<OpId>();
  const ask = (
    direction: 'undo' | 'redo',
    target: { turns: TurnId[]; redoes: OpId | null },
    given: Options,
  ) => {
    const op = given.op ?? newOpId();
    const of = given.strand ?? strand;
    const { paths, hunks, choices, plan } = given;
    const request = { strand: of, direction, scope: given.scope ?? 'files', plan, paths, hunks, choices };
    return store.apply(
      { strand: of, root },
      request,
      { ...target, op, to: null, expects: given.expects },
      async () => {
        await given.commit?.();
        recorded.add(op);
      },
    );
  };
  return {
    dataDir,
    root,
    outside,
    strand,
    store,
    recorded,
    async turn(work, { strand: of = strand } = {}) {
      const turn = newRecordId();
      const gate = await store.openGate({ strand: of, root, cwd: root, turn, forbidden: [dataDir] });
      await work(gate);
      await gate.settle();
      return turn;
    },
    async openGate({ strand: of = strand } = {}) {
      const turn = newRecordId();
      const gate = await store.openGate({ strand: of, root, cwd: root, turn, forbidden: [dataDir] });
      return { gate, turn };
    },
    newStrand: newStrandId,
    undo: (turn, given = {}) => ask('undo', { turns: [turn], redoes: null }, given),
    redo: (op, given = {}) => ask('redo', { turns: [], redoes: op }, given),
    preview: (turn, given = {}) =>
      store.plan(
        { strand: given.strand ?? strand, root },
        { ...given, strand: given.strand ?? strand, direction: 'undo', scope: given.scope ?? 'files' },
        { turns: [turn], redoes: null, op: newOpId(), expects: given.expects },
      ),
    recover: (of = strand) =>
      store.recover(
        { strand: of, root },
        {
          isRecorded: (op) => recorded.has(op),
          commit: async ({ op }) => {
            recorded.add(op);
          },
        },
      ),
    path: (...parts) => join(root, ...parts),
    async [Symbol.asyncDispose]() {
      execFileSync('chmod', ['-R', 'u+rwx', base]);
      rmSync(base, { recursive: true, force: true });
    },
  };
};

/** Everything below a folder: kind, mode and content of each path, names as latin1. */
export const treeOf = (root: string): Record<string, string> => {
  const tree: Record<string, string> = {};
  const visit = (folder: Buffer, prefix: string): void => {
    for (const name of readdirSync(folder, 'buffer')) {
      const path = Buffer.concat([folder, Buffer.from('/'), name]);
      const key = prefix + name.toString('latin1');
      const stat = lstatSync(path);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isDirectory()) {
        tree[`${key}/`] = 'dir';
        visit(path, `${key}/`);
      } else if (stat.isSymbolicLink()) tree[key] = `link ${readlinkSync(path)}`;
      else if (stat.isFile()) tree[key] = `${mode} ${readFileSync(path).toString('latin1')}`;
      else tree[key] = 'other';
    }
  };
  visit(Buffer.from(root), '');
  return tree;
};

export const mtimeOf = (path: string): bigint => statSync(path, { bigint: true }).mtimeNs;

/** A write that must go through. */
export const write = async (gate: TurnGate, path: string, text: string | Uint8Array): Promise<void> => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const result = await gate.write({ call: 'c', path, bytes });
  if (result.kind !== 'written') throw new Error(`${result.reason}: ${result.message}`);
};

export const remove = async (gate: TurnGate, path: string): Promise<void> => {
  const result = await gate.remove({ call: 'c', path });
  if (result.kind !== 'written') throw new Error(`${result.reason}: ${result.message}`);
};
