/** Net 2 (DESIGN section 5): whole work trees, captured before and after what the gate cannot see. */
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { BytePath } from '../../platform/byte-path.ts';

/** One file or link as a capture saw it. */
export interface FileVersion {
  readonly type: 'file' | 'link';
  /** Permission bits, 0o7777; 0 for a link. */
  readonly mode: number;
  readonly bytes: number;
  /** Git's id of the content in the store, 40 hex digits. */
  readonly oid: string;
  /** Of the raw content, 64 hex digits. */
  readonly sha256: string;
  /** Where a link leads. */
  readonly target: BytePath | null;
}

/** `null`: there was no file. */
export interface TreeChange {
  readonly path: BytePath;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
}

/**
 * `nested`: another repository; `unreadable`: we may not read it; `too_large`: over the limit; `special`: a pipe, a
 * socket, a device; `changing`: written to while it was read; `unignored`: the rules that hid it changed, so what it was
 * before is not known.
 */
export type LeftOutReason = 'nested' | 'unreadable' | 'too_large' | 'special' | 'changing' | 'unignored';
export interface LeftOut {
  readonly path: BytePath;
  readonly reason: LeftOutReason;
}

export interface Capture {
  /** Counts captures of one process: a later one of a work tree has a higher number. */
  readonly generation: number;
  /** Of the store; its tree is what git would have written of the same files. */
  readonly commit: string;
  readonly tree: string;
  readonly leftOut: readonly LeftOut[];
  /** Whether every folder was looked at, or the watcher was trusted. */
  readonly isFull: boolean;
}

export interface TreeDiff {
  readonly changes: readonly TreeChange[];
  /** Folders that were not there before, outermost first. */
  readonly newFolders: readonly BytePath[];
  /**
   * Left out of one of the captures from the first to the last: what became of them, and of everything below, is not
   * known. None of `changes` lies at or below one of them.
   */
  readonly unknown: readonly LeftOut[];
}

/** One folder that is captured. */
export interface WorkTree {
  /** Names the store in journals: `snapshots/repos/<key>.git`. */
  readonly key: string;
  /** One at a time. Durable when it resolves. Faults: `io`, `missing_program`. */
  capture(): Promise<Capture>;
  /**
   * Changes from one capture to a later one of this process. `lost` when the earlier one was let go, or the process
   * began anew in between.
   */
  diff(from: Capture, to: Capture): TreeDiff | 'lost';
  /** Keeps what `diff` needs of a capture until `letGo`. */
  hold(capture: Capture): void;
  letGo(capture: Capture): void;
  /** Whether somebody holds a capture. */
  isHeld(): boolean;
  /** What a restore of the turn may need stays, whatever becomes of later captures. Durable. Fault `io`. */
  pin(
    turn: { readonly strand: StrandId; readonly turn: TurnId },
    captures: readonly Capture[],
  ): Promise<void>;
  /** A full look beside what the watcher says; paths that it missed. */
  audit(): Promise<readonly BytePath[]>;
  close(): Promise<void>;
}
