/** Maps any fault to the closed shape of `core/protocol/errors`; the one place that does. */

import { type ErrorShape, isBridgeError } from '@skein/core/protocol/errors';
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
    return error.cause === undefined ? fromTrpc(error) : errorShapeOf(error.cause);
  return {
    code: 'internal',
    message: 'Something failed inside the bridge; the log has the details.',
    data: {},
  };
};
