/**
 * The routes that answer without a key, besides static files: `GET /health`, `POST /pair`, `POST /prove`. None reads or
 * changes anything of the user's. `/prove` lets a client check that this is the bridge of the token file before it
 * sends the token (TRAPS T19): it knows the port it dialled and the nonce, and computes the same HMAC.
 */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Access } from '../settings/access-types.ts';
import type { RateLimit } from './rate-limit.ts';
import { readJson } from './read-json.ts';
import { type Refusal, refuse } from './refusal.ts';
import { type Exchange, send, sendJson, sendRefusal } from './send.ts';

const MAX_BODY_BYTES = 4096;
const pairSchema = z.strictObject({
  code: z.string().min(1).max(200),
  label: z.string().max(200).optional(),
});
const proveSchema = z.strictObject({ nonce: z.string().min(16).max(200) });

export interface PublicRouteContext {
  readonly access: Access;
  readonly pairing: RateLimit;
  readonly port: number;
}

export const PUBLIC_ROUTES = ['/health', '/pair', '/prove'] as const;
export type PublicRoute = (typeof PUBLIC_ROUTES)[number];
export const isPublicRoute = (path: string): path is PublicRoute =>
  PUBLIC_ROUTES.some((route) => route === path);

export const answerPublic = async (
  route: PublicRoute,
  exchange: Exchange,
  context: PublicRouteContext,
): Promise<void> => {
  switch (route) {
    case '/health':
      if (!allowMethods(exchange, ['GET', 'HEAD'])) return;
      send(exchange, { status: 200, type: 'text/plain; charset=utf-8', body: 'ok' });
      return;
    case '/pair':
      if (allowMethods(exchange, ['POST'])) await pair(exchange, context);
      return;
    case '/prove':
      if (allowMethods(exchange, ['POST'])) await prove(exchange, context);
      return;
  }
};

export const allowMethods = (exchange: Exchange, methods: readonly string[]): boolean => {
  if (methods.includes(exchange.req.method ?? '')) return true;
  sendRefusal(exchange, refuse(405, 'invalid_input', 'This address does not take that method.'), {
    Allow: methods.join(', '),
  });
  return false;
};

const pair = async (exchange: Exchange, { access, pairing }: PublicRouteContext): Promise<void> => {
  if (!pairing.open()) {
    sendRefusal(exchange, refuse(429, 'limit', 'Too many wrong codes; wait a minute.'), {
      'Retry-After': '60',
    });
    return;
  }
  const body = await bodyOf(exchange.req, pairSchema);
  if ('refusal' in body) {
    sendRefusal(exchange, body.refusal);
    return;
  }
  const key = await access.pair(body.value.code, body.value.label ?? '');
  if (key === null) {
    pairing.fail();
    sendRefusal(exchange, refuse(401, 'unauthorized', 'This link was used or is too old; open a fresh one.'));
    return;
  }
  sendJson(exchange, key);
};

const prove = async (exchange: Exchange, { access, port }: PublicRouteContext): Promise<void> => {
  const body = await bodyOf(exchange.req, proveSchema);
  if ('refusal' in body) sendRefusal(exchange, body.refusal);
  else sendJson(exchange, { proof: access.prove({ port, nonce: body.value.nonce }) });
};

const bodyOf = async <T>(
  req: IncomingMessage,
  schema: z.ZodType<T>,
): Promise<{ readonly value: T } | { readonly refusal: Refusal }> => {
  const body = await readJson(req, MAX_BODY_BYTES);
  if (body.kind === 'refused') return body;
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return { value: parsed.data };
  return { refusal: refuse(400, 'invalid_input', 'The request does not fit this call.') };
};
