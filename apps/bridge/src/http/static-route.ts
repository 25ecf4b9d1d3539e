/** Answers GET and HEAD from the static files: revalidated pages, immutable assets, 404.html for the rest. */
import { pagePolicy } from './content-policy.ts';
import { allowMethods } from './public-routes.ts';
import { type Exchange, send } from './send.ts';
import type { StaticAnswer, StaticFiles } from './static-files.ts';

export const answerStatic = async (path: string, exchange: Exchange, files: StaticFiles): Promise<void> => {
  if (!allowMethods(exchange, ['GET', 'HEAD'])) return;
  const found = await files.find(path);
  const answer = found ?? (await files.notFoundPage());
  if (answer !== null) {
    await sendAnswer(exchange, answer, found === null ? 404 : 200);
    return;
  }
  const body = path === '/' ? 'The page is not built yet: run npm run build.\n' : 'Not found.\n';
  send(exchange, { status: 404, type: 'text/plain; charset=utf-8', body });
};

const sendAnswer = async (exchange: Exchange, answer: StaticAnswer, status: number): Promise<void> => {
  const { req, res } = exchange;
  const { bytes, encoding } = await answer.encoded(String(req.headers['accept-encoding'] ?? ''));
  const etag = `"${answer.etag}${encoding === null ? '' : `-${encoding}`}"`;
  const headers: Record<string, string> = {
    'Cache-Control': answer.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    Vary: 'Accept-Encoding',
  };
  if (encoding !== null) headers['Content-Encoding'] = encoding;
  if (answer.isPage) {
    headers['Content-Security-Policy'] = pagePolicy(answer.scriptHashes, req.headers.host ?? '');
  }
  if (status === 200 && isKnown(req.headers['if-none-match'], etag)) {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    res.statusCode = 304;
    res.end();
    return;
  }
  send(exchange, { status, type: answer.type, body: bytes, headers });
};

const isKnown = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((part) => part.trim().replace(/^W\//, '') === etag) === true;
