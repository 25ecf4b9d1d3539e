// TRAPS T3 and T4: what a page of another origin can do, which is nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, callOf, KINDS, type RequestParts, ROUTES, request } from './requests.ts';
import { type SecurityTarget, startTarget } from './target.ts';

let target: SecurityTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

const withHeaders = (parts: RequestParts, headers: Readonly<Record<string, string>>): RequestParts => ({
  ...parts,
  headers: { ...parts.headers, ...bearer(target.token), ...headers },
});

const foreignOrigins = (port: number): readonly string[] => [
  'https://evil.example',
  'null',
  'http://localhost:9999',
  `http://localhost:${port}@evil`,
  `http://127.0.0.1.nip.io:${port}`,
  `https://127.0.0.1:${port}`,
  `http://127.0.0.1:${port}/`,
  `http://localhost:${port}`,
  `http://127.0.0.1:${port} http://evil.example`,
  '',
  'file://',
  'chrome-extension://abcdefghijklmnop',
];

describe('a request of another origin', () => {
  test('gets 403 from every kind of address, token or not', async () => {
    for (const origin of foreignOrigins(target.port)) {
      for (const kind of KINDS) {
        const { status, headers } = await request(target, withHeaders(kind, { Origin: origin }));
        expect(status, `${origin} ${kind.path}`).toBe(403);
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
  });

  test('gets 403 from every route of the router, and none runs', async () => {
    const before = target.calls();
    for (const route of ROUTES) {
      const parts = withHeaders(callOf(route), { Origin: 'https://evil.example' });
      expect((await request(target, parts)).status, route.path).toBe(403);
    }
    expect(target.calls()).toBe(before);
  });

  test('gets no preflight', async () => {
    for (const kind of KINDS) {
      const answer = await request(target, {
        method: 'OPTIONS',
        path: kind.path ?? '/',
        headers: {
          Origin: 'https://evil.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization, content-type',
        },
      });
      expect(answer.status).toBe(403);
      expect(Object.keys(answer.headers).some((name) => name.startsWith('access-control-'))).toBe(false);
    }
  });
});

describe('fetch metadata', () => {
  test('cross-site and same-site are refused', async () => {
    for (const site of ['cross-site', 'same-site', 'something-new']) {
      for (const kind of KINDS) {
        const { status } = await request(target, withHeaders(kind, { 'Sec-Fetch-Site': site }));
        expect(status, `${site} ${kind.path}`).toBe(403);
      }
    }
  });

  test('a link to a page may be followed, a frame or a script may not', async () => {
    const link = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    };
    expect((await request(target, { path: '/', headers: link })).status).toBe(200);
    expect((await request(target, { path: '/health', headers: link })).status).toBe(403);
    expect((await request(target, { path: '/trpc/agents.list', headers: link })).status).toBe(403);
    for (const destination of ['iframe', 'script', 'image', 'object', 'empty']) {
      const headers = { ...link, 'Sec-Fetch-Dest': destination };
      expect((await request(target, { path: '/', headers })).status, destination).toBe(403);
    }
    expect((await request(target, { method: 'POST', path: '/', headers: link })).status).toBe(403);
  });

  test('our own page and the address bar are answered', async () => {
    for (const site of ['same-origin', 'none']) {
      expect((await request(target, { path: '/', headers: { 'Sec-Fetch-Site': site } })).status).toBe(200);
    }
    const own = withHeaders(
      { path: '/trpc/agents.list' },
      { Origin: target.url, 'Sec-Fetch-Site': 'same-origin' },
    );
    expect((await request(target, own)).status).toBe(200);
  });
});
