/**
 * What a running agent may do to the machine, as ports: the write gate, the permission gate and child
 * processes. Flows wire them to the snapshot store, the page and the watchdog.
 */

import type { ErrorShape } from '@skein/core/protocol/errors';
import type { FileState } from '@skein/core/restore/file-state';

export type GateRefusal =
  | 'outside_root'
  | 'protected' // .git internals, .claude, .mcp.json, .skein, data and config directories (requirements 57)
  | 'link' // a parent folder is a link, or a final link leads outside the root
  | 'not_regular' // FIFO, socket, device, folder
  | 'changed_since_read' // requirements 65
  | 'not_found'
  | 'park_failed'; // the pre-image could not be saved: nothing was written

export type GateResult =
  | { readonly kind: 'written'; readonly path: string; readonly pre: FileState; readonly post: FileState }
  | { readonly kind: 'refused'; readonly reason: GateRefusal; readonly message: string };

/**
 * Net 1 under every turn. `path` is absolute or relative to cwd. `expect`: the sha256 the agent last read;
 * `undefined` skips the check, `null` means "must not exist". A `written` result is durable: pre and post
 * images and the journal line were synced before the file was renamed into place.
 */
export interface WriteGate {
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
  /** Parks the named paths before an ungated command; `settle` records what the command left. */
  checkpoint(request: {
    readonly call: string;
    readonly paths: readonly string[];
  }): Promise<
    | { readonly kind: 'parked'; readonly settle: () => Promise<void> }
    | { readonly kind: 'refused'; readonly reason: GateRefusal; readonly message: string }
  >;
  /** To be awaited before an ungated command: the work tree is captured, so that what it changes can be undone. */
  beforeUngated(call: string, signal: AbortSignal): Promise<void>;
}

export type PermissionAnswer =
  | { readonly kind: 'allowed'; readonly by: 'rule' | 'user' | 'mode'; readonly rule?: string | undefined }
  | {
      readonly kind: 'denied';
      readonly by: 'rule' | 'user' | 'mode';
      readonly rule?: string | undefined;
      /** Told to the model. */
      readonly reason: string;
    };

export interface PermissionGate {
  /** Resolves when a rule, the mode or a person decided; rejects with `interrupted` when the turn ends first. */
  ask(request: {
    readonly call: string;
    readonly tool: string;
    readonly input: unknown;
    readonly title: string;
    readonly command: string | null;
    readonly edit: {
      readonly path: string;
      readonly before: string | null;
      readonly after: string | null;
    } | null;
  }): Promise<PermissionAnswer>;
}

export interface ProcessResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly interrupted: boolean;
  /** Output kept in memory, capped: head and tail around a line that says how much is missing. */
  readonly output: string;
  readonly outputBytes: number;
  readonly truncated: boolean;
}

/** Children run in their own process group and are known to the watchdog before they run. */
export interface ProcessHost {
  shell(request: {
    readonly command: string;
    readonly cwd: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly onOutput: (text: string) => void;
    readonly maxOutputBytes: number;
  }): Promise<ProcessResult>;
}

export type PortFault = ErrorShape;
