/** A request that is not carried out: status and the closed error words. Says nothing of paths or reasons inside. */
import type { ErrorCode } from '@skein/core/protocol/errors';

export interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

export const refuse = (status: number, code: ErrorCode, message: string): Refusal => ({
  status,
  code,
  message,
});

const TRPC_CODES: Readonly<Record<number, { readonly name: string; readonly number: number }>> = {
  401: { name: 'UNAUTHORIZED', number: -32001 },
  403: { name: 'FORBIDDEN', number: -32003 },
  404: { name: 'NOT_FOUND', number: -32004 },
  405: { name: 'METHOD_NOT_SUPPORTED', number: -32005 },
  413: { name: 'PAYLOAD_TOO_LARGE', number: -32013 },
  415: { name: 'UNSUPPORTED_MEDIA_TYPE', number: -32015 },
  429: { name: 'TOO_MANY_REQUESTS', number: -32029 },
};

/** The same envelope that a tRPC call answers, so that every client reads it alike. */
export const refusalBody = ({ status, code, message }: Refusal): string => {
  const trpc = TRPC_CODES[status] ?? { name: 'BAD_REQUEST', number: -32600 };
  const data = { code: trpc.name, httpStatus: status, skein: { code, message, data: {} } };
  return JSON.stringify({ error: { message, code: trpc.number, data } });
};
