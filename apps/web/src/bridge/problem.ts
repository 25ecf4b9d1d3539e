/** Any failure as the page shows it: what happened, what to do next, and details to copy. Never a stack. */
import type { ErrorCode, ErrorShape } from '@skein/core/protocol/errors';
import { TRPCClientError } from '@trpc/client';

export interface Problem {
  /** `offline`: the bridge did not answer. */
  readonly code: ErrorCode | 'offline';
  readonly message: string;
  readonly next: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** For "copy details": the call and the code, no content of the session. */
  readonly details: string;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof TRPCClientError) return fromCall(error);
  const message = error instanceof Error ? error.message : 'Something failed in the page.';
  return { code: 'internal', message, next: NEXT['internal'] ?? '', data: {}, details: `page: ${message}` };
}

/** A typed failure of the bridge has a code of the closed set; all else means that nobody answered. */
function fromCall(error: TRPCClientError<never>): Problem {
  const shape = shapeOf(error);
  if (shape === null) {
    return {
      code: 'offline',
      message: 'The bridge did not answer.',
      next: 'The page tries again by itself. If it does not come back, start it with "skein up".',
      data: {},
      details: `offline: ${error.message}`,
    };
  }
  const { code, message, data } = shape;
  const details = JSON.stringify({ code, message, data }, null, 2);
  return { code, message, next: NEXT[code] ?? '', data, details };
}

function shapeOf(error: { readonly data?: unknown }): ErrorShape | null {
  const data = error.data as { readonly skein?: ErrorShape } | null | undefined;
  return data?.skein ?? null;
}

const NEXT: Partial<Record<ErrorCode, string>> = {
  busy: 'Wait until it has finished, or interrupt it.',
  held: 'Close it there, or wait until it has finished.',
  stale_plan: 'Check again: the preview is made anew from the files as they are now.',
  conflict: 'Nothing was written. Look at the files named below.',
  not_found: 'It may have been moved or removed since the page was loaded.',
  unauthorized: 'Get a new link with "skein open".',
  incompatible: 'Reload the page; if that does not help, restart the bridge.',
  no_provider: 'Add a key or an endpoint in the settings, or choose another agent.',
  provider: 'Try again, or choose another model.',
  missing_program: 'Install it and try again.',
  io: 'Free some space or check the permissions, then try again.',
  internal: 'Try again. The log in the data directory has the details.',
};
