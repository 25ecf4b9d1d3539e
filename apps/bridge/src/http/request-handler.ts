/** One request: headers, checks, then the one route that answers it. The order is the security of the bridge. */
import type { RequestListener } from 'node:http';
import { answerPublic, isPublicRoute, type PublicRouteContext } from './public-routes.ts';
import { type Refusal, refuse } from './refusal.ts';
import { checkRequest, pathOf } from './request-check.ts';
import { type Exchange, sendRefusal, setSecurityHeaders } from './send.ts';
import { SOCKET_PATH } from './socket-server.ts';
import type { StaticFiles } from './static-files.ts';
import { answerStatic } from './static-route.ts';
import { type ApiParts, answerTrpc, TRPC_PREFIX } from './trpc-route.ts';

export interface RequestParts {
  readonly api: ApiParts;
  readonly publicRoutes: PublicRouteContext;
  readonly files: StaticFiles;
}

export const createRequestHandler =
  (parts: RequestParts): RequestListener =>
  (req, res) => {
    const exchange = { req, res };
    setSecurityHeaders(res);
    answer(exchange, parts).catch((error: unknown) => {
      const gone = req.destroyed && !req.complete;
      if (!gone) parts.api.log.error('A request failed', { path: pathOf(req), error });
      if (res.headersSent) res.destroy();
      else sendRefusal(exchange, refuse(500, 'internal', 'Something failed inside the bridge.'));
    });
  };

const answer = async (exchange: Exchange, { api, publicRoutes, files }: RequestParts): Promise<void> => {
  const path = pathOf(exchange.req);
  const isApi = path.startsWith(TRPC_PREFIX);
  const isStatic = !isApi && !isPublicRoute(path) && path !== SOCKET_PATH;
  const refusal: Refusal | null = checkRequest(exchange.req, { port: publicRoutes.port, isStatic });
  if (refusal !== null) sendRefusal(exchange, refusal);
  else if (isPublicRoute(path)) await answerPublic(path, exchange, publicRoutes);
  else if (isApi) await answerTrpc(path, exchange, api);
  else if (path === SOCKET_PATH)
    sendRefusal(exchange, refuse(426, 'invalid_input', 'Only WebSockets connect here.'));
  else await answerStatic(path, exchange, files);
};
