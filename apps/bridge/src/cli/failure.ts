/** Any fault of a command as the closed shape of `core/protocol/errors`. */

import { BridgeError, type ErrorShape, errorShapeSchema, isBridgeError } from '@skein/core/protocol/errors';
import { TRPCClientError } from '@trpc/client';
import { CommanderError } from 'commander';
import { z } from 'zod';
import type { Output } from './output.ts';
import { line } from './printable.ts';

const wireSchema = z.object({ skein: errorShapeSchema });

export const failureOf = (error: unknown): ErrorShape => {
  if (isBridgeError(error)) return { code: error.code, message: error.message, data: error.data };
  if (error instanceof CommanderError)
    return {
      code: 'invalid_input',
      message: usageSentence(error.message === '(outputHelp)' ? 'A command is missing' : error.message),
      data: { usage: error.code },
    };
  if (error instanceof TRPCClientError) return fromWire(error);
  return { code: 'internal', message: 'Something failed inside skein; the log has the details.', data: {} };
};

export const printFailure = (out: Output, message: string): void =>
  out.note(line`${out.noteStyle.red(line`skein:`)} ${message}`);

const fromWire = (error: { readonly data?: unknown; readonly message: string }): ErrorShape => {
  const wire = wireSchema.safeParse(error.data);
  if (wire.success) return wire.data.skein;
  return {
    code: 'io',
    message: 'The bridge stopped answering; see whether it still runs, or start it with "skein up".',
    data: { cause: error.message },
  };
};

/** A mistake in how a command was called: exit code 2. */
export const usageError = (message: string, data: Record<string, unknown> = {}): BridgeError =>
  new BridgeError('invalid_input', message, { data });

/** Commander writes "error: unknown option '--x'" and, on a line of its own, a suggestion. */
export const usageSentence = (message: string): string => {
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? '' : '.'}`;
};
