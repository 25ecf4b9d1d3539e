/**
 * The closed set of faults, shared by bridge, CLI and page. Expected outcomes (a conflict in a preview,
 * a lease held by another) are values of a flow where the caller must decide; these are what ends a call.
 */
import { z } from 'zod';

export const errorCodeSchema = z.enum([
  'invalid_input', // the request does not fit its schema
  'not_found', // no such strand, record, file or setting
  'ambiguous', // a selector names several strands: data.candidates
  'unauthorized', // no or a wrong token or key
  'forbidden', // known caller, refused action (host, origin, protected path)
  'busy', // a turn or restore is running: data.holder
  'held', // another process holds the lease or the data directory: data.holder
  'conflict', // a restore would overwrite the user's edits: data.conflicts
  'stale_plan', // files moved since the preview
  'nothing_to_undo',
  'nothing_to_redo',
  'permission_denied', // a tool call was refused
  'permission_needed', // ask mode without a terminal or a page
  'limit', // a spend, time or size limit was reached
  'read_only', // the strand or the data directory cannot be written: data.reason
  'unreadable', // a strand or a journal cannot be read
  'incompatible', // protocol or data version differs
  'provider', // the model endpoint failed: data.status, data.retryable
  'no_provider', // the agent has no key or no endpoint
  'missing_program', // git, an editor or an agent is not installed: data.program
  'io', // disk full, permission, failed fsync: data.errno
  'interrupted',
  'internal', // a fault of ours
]);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

export const errorShapeSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type ErrorShape = z.infer<typeof errorShapeSchema>;

/** The one error class of Skein. `message` is one sentence for a person: what happened, what to do. */
export class BridgeError extends Error {
  readonly code: ErrorCode;
  readonly data: Record<string, unknown>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'BridgeError';
    this.code = code;
    this.data = options.data ?? {};
  }
}

export const isBridgeError = (error: unknown): error is BridgeError => error instanceof BridgeError;

/** Exit codes of the CLI (DESIGN section 8). */
export const exitCodeOf = (code: ErrorCode): number => {
  switch (code) {
    case 'invalid_input':
    case 'ambiguous':
      return 2;
    case 'conflict':
    case 'stale_plan':
    case 'nothing_to_undo':
    case 'nothing_to_redo':
    case 'read_only':
      return 3;
    case 'busy':
    case 'held':
      return 4;
    case 'permission_denied':
    case 'permission_needed':
      return 5;
    case 'limit':
      return 6;
    case 'incompatible':
      return 7;
    case 'interrupted':
      return 130;
    default:
      return 1;
  }
};
