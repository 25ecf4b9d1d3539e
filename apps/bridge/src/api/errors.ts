/** Maps any fault to the closed shape of `core/protocol/errors`; the one place that does. */

import { type ErrorCode, type ErrorShape, isBridgeError } from '@skein/core/protocol/errors';
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';

const fromTrpc = (error: TRPCError): ErrorShape => {
  switch (error.code) {
    case 'UNAUTHORIZED':
      return { code: 'unauthorized', message: error.message, data: {} };
    case 'FORBIDDEN':
      return { code: 'forbidden', message: error.message, data: {} };
    case 'NOT_FOUND':
      return { code: 'not_found', message: error.message, data: {} };
    case 'BAD_REQUEST':
    case 'PARSE_ERROR':
    case 'METHOD_NOT_SUPPORTED':
    case 'UNSUPPORTED_MEDIA_TYPE':
    case 'PAYLOAD_TOO_LARGE':
      return { code: 'invalid_input', message: 'The request does not fit this call.', data: {} };
    default:
      return {
        code: 'internal',
        message: 'Something failed inside the bridge; the log has the details.',
        data: {},
      };
  }
};

/** Never leaks a stack or the words of an unknown fault. */
export const errorShapeOf = (error: unknown): ErrorShape => {
  if (isBridgeError(error)) return { code: error.code, message: error.message, data: error.data };
  if (error instanceof ZodError) {
    const issues = error.issues.map((issue) => ({
      path: issue.path.map(String).join('.'),
      message: issue.message,
    }));
    return { code: 'invalid_input', message: 'The request does not fit this call.', data: { issues } };
  }
  if (error instanceof TRPCError)
    return isBridgeError(error.cause) || error.cause instanceof ZodError
      ? errorShapeOf(error.cause)
      : fromTrpc(error);
  return {
    code: 'internal',
    message: 'Something failed inside the bridge; the log has the details.',
    data: {},
  };
};

/** What a plain HTTP client sees of a fault: 5xx means that something broke, anything else that the call was refused. */
export const httpStatusOf = (code: ErrorCode): number => STATUS[code] ?? 500;

const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  invalid_input: 400,
  ambiguous: 400,
  unauthorized: 401,
  forbidden: 403,
  permission_denied: 403,
  permission_needed: 403,
  not_found: 404,
  busy: 409,
  held: 409,
  conflict: 409,
  stale_plan: 409,
  nothing_to_undo: 409,
  nothing_to_redo: 409,
  read_only: 409,
  interrupted: 409,
  limit: 413,
  unreadable: 422,
  no_provider: 422,
  missing_program: 422,
  incompatible: 426,
  provider: 502,
};
