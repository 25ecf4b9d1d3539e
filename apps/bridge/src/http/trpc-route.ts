/** `/trpc/…`: queries by GET, mutations by POST with a JSON body. Whoever carries no key learns nothing more. */

import { isBridgeError } from '@skein/core/protocol/errors';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { httpStatusOf } from '../api/errors.ts';
import type { Flows } from '../api/flows.ts';
import type { AppRouter } from '../api/router.ts';
import type { Log } from '../platform/log.ts';
import type { Access, Caller } from '../settings/access-types.ts';
import { bearerOf } from './bearer.ts';
import { allowMethods } from './public-routes.ts';
import { checkJsonType } from './read-json.ts';
import { refuse } from './refusal.ts';
import { reportTo } from './report.ts';
import { routeTypes } from './route-table.ts';
import { type Exchange, sendRefusal } from './send.ts';

export const TRPC_PREFIX = '/trpc/';
/** Images of a prompt travel in the body. */
export const MAX_CALL_BYTES = 32 * 1024 * 1024;
export const MAX_BATCH = 100;

export interface ApiParts {
  readonly router: AppRouter;
  readonly flows: Flows;
  readonly access: Access;
  readonly log: Log;
  /** How often a socket is asked whether it is alive; 10 s. */
  readonly pingMs?: number | undefined;
}

export const answerTrpc = async (path: string, exchange: Exchange, api: ApiParts): Promise<void> => {
  const caller = callerOf(exchange, api.access);
  if (caller === null) {
    sendRefusal(exchange, refuse(401, 'unauthorized', 'This request carries no valid key.'));
    return;
  }
  if (!allowMethods(exchange, ['GET', 'HEAD', 'POST'])) return;
  const wrongType = exchange.req.method === 'POST' ? checkJsonType(exchange.req) : null;
  if (wrongType !== null) {
    sendRefusal(exchange, wrongType);
    return;
  }
  const names = path.slice(TRPC_PREFIX.length);
  // tRPC would decode the name after this check.
  if (!/^[\w.,]+$/.test(names)) {
    sendRefusal(exchange, refuse(404, 'not_found', 'There is no such call.'));
    return;
  }
  if (hasSubscription(names, api.router)) {
    sendRefusal(exchange, refuse(405, 'invalid_input', 'Subscriptions come over the WebSocket.'));
    return;
  }
  exchange.res.setHeader('Cache-Control', 'no-store');
  await nodeHTTPRequestHandler({
    ...exchange,
    path: names,
    router: api.router,
    createContext: async () => ({ flows: api.flows, caller }),
    maxBodySize: MAX_CALL_BYTES,
    maxBatchSize: MAX_BATCH,
    onError: reportTo(api.log),
    responseMeta: ({ errors }) => {
      // What tRPC refused itself (a wrong method, a body that does not fit) has its status already.
      const cause = errors[0]?.cause;
      return isBridgeError(cause) ? { status: httpStatusOf(cause.code) } : {};
    },
  });
};

const callerOf = ({ req }: Exchange, access: Access): Caller | null => {
  const secret = bearerOf(req);
  return secret === null ? null : access.identify(secret);
};

/** tRPC would open an event stream for it, although those are switched off. Several calls are named with commas. */
const hasSubscription = (paths: string, router: AppRouter): boolean => {
  const types = routeTypes(router);
  return paths.split(',').some((path) => types.get(path) === 'subscription');
};
