/**
 * Net 1: the write gate's journal, the blobs it parks, and restores over them. Implemented in this folder;
 * the shapes are what flows rely on.
 */
import type {
  FileAt,
  RecoveryReport,
  RestoreRequest,
  RestoreResult,
  TurnDiff,
} from '@skein/core/protocol/restore';
import type { OpId, StrandId, TurnId } from '@skein/core/record/ids';
import type { PathRef } from '@skein/core/record/path-ref';
import type { Coverage, FileChange, RecordOf } from '@skein/core/record/schema';
import type { GateRefusal, GateResult } from './gate-types.ts';

export type { GateRefusal, GateResult };

/** One turn's gate; structurally the `WriteGate` port of `agents/`. */
export interface TurnGate {
  read(
    path: string,
  ): Promise<
    | { readonly kind: 'file'; readonly path: string; readonly bytes: Uint8Array; readonly sha256: string }
    | { readonly kind: 'refused'; readonly reason: GateRefusal; readonly message: string }
  >;
  write(request: {
    readonly call: string;
    readonly path: string;
    readonly bytes: Uint8Array;
    readonly expect?: string | null | undefined;
  }): Promise<GateResult>;
  remove(request: {
    readonly call: string;
    readonly path: string;
    readonly expect?: string | undefined;
  }): Promise<GateResult>;
  checkpoint(request: {
    readonly call: string;
    readonly paths: readonly string[];
  }): Promise<
    | { readonly kind: 'parked'; readonly settle: () => Promise<void> }
    | { readonly kind: 'refused'; readonly reason: GateRefusal; readonly message: string }
  >;
  /**
   * To be awaited before an ungated command runs: the first one of a turn has the work tree captured, which may take up
   * to 25 s. Never a reason not to run: what could not be captured is said in the turn's coverage.
   */
  beforeUngated(call: string, signal: AbortSignal): Promise<void>;
  /** What the turn did to files, with line counts, and how far it can be undone. */
  settle(): Promise<{ readonly files: readonly FileChange[]; readonly coverage: Coverage }>;
}

export interface RestoreWorkspace {
  readonly strand: StrandId;
  readonly root: string;
}

export interface SnapshotStore {
  openGate(options: {
    readonly strand: StrandId;
    readonly root: string;
    readonly cwd: string;
    readonly turn: TurnId;
    /** Real paths the agent may not write or read: data and config directories. */
    readonly forbidden: readonly string[];
  }): Promise<TurnGate>;
  /** From the journal alone: for a turn that a crash left open. */
  settleFromJournal(
    workspace: RestoreWorkspace,
    turn: TurnId,
  ): Promise<{ readonly files: readonly FileChange[]; readonly coverage: Coverage }>;
  /** A file at a moment (ISO 8601). Faults: `not_found`, `unreadable`, `io`. */
  fileAt(workspace: RestoreWorkspace, path: string, at: string): Promise<FileAt>;
  turnDiff(workspace: RestoreWorkspace, turns: readonly TurnId[]): Promise<TurnDiff>;
  /**
   * Plans without writing. `target` comes from core (undoTarget / redoTarget): the turns or the operation.
   * With scope `chat` no path is looked at. `expects`: paths that the strand's own record says it changed; one that the
   * journal no longer knows is unrestored, and then nothing is restored: a lost journal is never "nothing to do".
   */
  plan(
    workspace: RestoreWorkspace,
    request: RestoreRequest,
    target: {
      readonly turns: readonly TurnId[];
      readonly redoes: OpId | null;
      readonly op: OpId;
      readonly expects?: readonly PathRef[] | undefined;
    },
  ): Promise<RestoreResult>;
  /**
   * Carries a plan out under the workspace's restore lock: intent (synced) → stage → re-check → swap → `commit`
   * (the flow appends the `restore` record there) → settled. Conflicts are returned with `applied: false` and nothing
   * written. Faults: `stale_plan`, `busy` (lock held, or an interrupted restore to settle first), `unreadable` (a saved
   * version or a journal line is lost), `io`; nothing is written then, or what was is taken back. A fault of `commit`
   * passes through with the files restored: close the strand and open it again, `recover` then writes the record.
   */
  apply(
    workspace: RestoreWorkspace,
    request: RestoreRequest & { readonly plan?: string | undefined },
    target: {
      readonly turns: readonly TurnId[];
      readonly redoes: OpId | null;
      readonly op: OpId;
      readonly to: string | null;
      readonly expects?: readonly PathRef[] | undefined;
    },
    commit: (files: RecordOf<'restore'>['files']) => Promise<void>,
  ): Promise<RestoreResult>;
  /** Open intents of a strand's journal, settled (DESIGN "Recovery"); `isRecorded` asks whether the strand holds the op. */
  recover(
    workspace: RestoreWorkspace,
    ops: {
      readonly isRecorded: (op: OpId) => boolean;
      readonly commit: (intent: RecoveredIntent) => Promise<void>;
    },
  ): Promise<readonly RecoveryReport[]>;
  /** Journals with an open intent or a leftover temp file, without replaying strands. */
  unsettled(): Promise<readonly StrandId[]>;
}

export interface RecoveredIntent {
  readonly op: OpId;
  readonly body: Omit<RecordOf<'restore'>, 'id' | 'parent' | 'at'>;
  readonly left: readonly PathRef[];
}
