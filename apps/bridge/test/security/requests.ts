/** Requests exactly as written: no library adds, drops or corrects a header. */
import { connect } from 'node:net';
import { appRouter } from '../../src/api/router.ts';
import { type RouteType, routeTypes } from '../../src/http/route-table.ts';
import type { SecurityTarget } from './target.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends bytes and reads until the server closes or `waitMs` are over. Status 0: closed without an answer. */
export const sendRaw = (
  to: { readonly port: number; readonly host?: string },
  text: string,
  waitMs = 5000,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const wire = connect({ port: to.port, host: to.host ?? '127.0.0.1' });
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => wire.destroy(), waitMs);
    wire.on('connect', () => wire.write(text));
    wire.on('data', (chunk) => chunks.push(chunk));
    wire.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENETUNREACH') reject(error);
    });
    wire.on('close', () => {
      clearTimeout(timer);
      resolve(parse(Buffer.concat(chunks).toString('latin1')));
    });
  });

const parse = (text: string): Answer => {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
};

export interface RequestParts {
  readonly method?: string;
  readonly path?: string;
  readonly version?: '1.0' | '1.1';
  /** `[]`: none. Default: the right one. */
  readonly hosts?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const request = (target: SecurityTarget, parts: RequestParts = {}): Promise<Answer> => {
  const { method = 'GET', path = '/', version = '1.1', body = '' } = parts;
  const hosts = parts.hosts ?? [`127.0.0.1:${target.port}`];
  const lines = [
    `${method} ${path} HTTP/${version}`,
    ...hosts.map((host) => `Host: ${host}`),
    ...Object.entries(parts.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    'Connection: close',
  ];
  return sendRaw(target, `${lines.join('\r\n')}\r\n\r\n${body}`);
};

export const bearer = (secret: string): Record<string, string> => ({ Authorization: `Bearer ${secret}` });
export const JSON_TYPE = { 'Content-Type': 'application/json' };

export interface Route {
  readonly path: string;
  readonly type: RouteType;
}

/** Every route there is, from the router itself: a new one is in here the moment it exists. */
export const ROUTES: readonly Route[] = [...routeTypes(appRouter)].map(([path, type]) => ({ path, type }));

/** A call of a route as a client would make it: queries by GET, all else by POST. */
export const callOf = (route: Route): RequestParts =>
  route.type === 'query'
    ? { path: `/trpc/${route.path}?input=%7B%7D` }
    : { method: 'POST', path: `/trpc/${route.path}`, headers: JSON_TYPE, body: '{}' };

/** One request of each kind that the listener knows. */
export const KINDS: readonly RequestParts[] = [
  { path: '/' },
  { path: '/_next/static/a.js' },
  { path: '/nowhere' },
  { path: '/health' },
  { method: 'POST', path: '/pair', headers: JSON_TYPE, body: '{"code":"x"}' },
  { method: 'POST', path: '/prove', headers: JSON_TYPE, body: '{"nonce":"0123456789abcdef"}' },
  { path: '/trpc/strands.list?input=%7B%7D' },
  { method: 'POST', path: '/trpc/jobs.cancel', headers: JSON_TYPE, body: '{"id":"none"}' },
  { path: '/trpc-ws' },
  {
    path: '/trpc-ws',
    headers: {
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    },
  },
];
