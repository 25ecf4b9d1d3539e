/** Answers with the headers that every response carries. HEAD gets headers only. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refusalBody } from './refusal.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export const setSecurityHeaders = (res: ServerResponse): void => {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) res.setHeader(name, value);
};

export const send = (
  { req, res }: Exchange,
  answer: {
    readonly status: number;
    readonly type: string;
    readonly body: Uint8Array | string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): void => {
  const bytes = Buffer.from(answer.body);
  res.statusCode = answer.status;
  res.setHeader('Content-Type', answer.type);
  res.setHeader('Content-Length', bytes.length);
  res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(answer.headers ?? {})) res.setHeader(name, value);
  res.end(req.method === 'HEAD' ? undefined : bytes);
};

export const sendJson = (exchange: Exchange, value: unknown): void =>
  send(exchange, { status: 200, type: 'application/json', body: JSON.stringify(value) });

/** What is left of the request is not read: the connection ends after the answer. */
export const sendRefusal = (
  exchange: Exchange,
  refusal: Refusal,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const hasBody = exchange.req.method !== 'GET' && exchange.req.method !== 'HEAD';
  send(exchange, {
    status: refusal.status,
    type: 'application/json',
    body: refusalBody(refusal),
    headers: hasBody ? { ...headers, Connection: 'close' } : headers,
  });
};
