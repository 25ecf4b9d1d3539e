// TRAPS T4, T8, T10, T12: what every response carries, whatever was asked.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, callOf, KINDS, ROUTES, request, sendRaw } from './requests.ts';
import { IS_BRIDGE, type SecurityTarget, startTarget } from './target.ts';

let target: SecurityTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

describe('security headers', () => {
  test('are on every kind of response, refusals included', async () => {
    const foreign = { Origin: 'https://evil.example' };
    for (const kind of KINDS) {
      for (const headers of [{}, bearer(target.token), bearer('x'.repeat(43)), foreign]) {
        const answer = await request(target, { ...kind, headers: { ...kind.headers, ...headers } });
        if (answer.status === 101) continue;
        expect(answer.headers, kind.path).toMatchObject(ALWAYS);
        expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
        expect(answer.headers['permissions-policy']).toContain('camera=()');
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    }
  });

  test('are on answers to what is no request', async () => {
    for (const text of ['NONSENSE\r\n\r\n', 'GET / HTTP/1.1\r\nBad Header: x\r\n\r\n']) {
      const answer = await sendRaw(target, text);
      expect(answer.status).toBe(400);
      expect(answer.headers).toMatchObject(ALWAYS);
    }
    const expectation = await request(target, { path: '/health', headers: { Expect: 'something' } });
    expect(expectation.headers).toMatchObject(ALWAYS);
  });

  test('a page runs only its own scripts', async () => {
    const { headers, body } = await request(target, { path: '/' });
    const policy = headers['content-security-policy'] ?? '';
    const inline = [...body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1] ?? '');
    expect(inline.length).toBeGreaterThan(0);
    for (const script of inline) {
      // Bytes of the answer, as `sendRaw` keeps them.
      const hash = createHash('sha256').update(Buffer.from(script, 'latin1')).digest('base64');
      expect(policy).toContain(`'sha256-${hash}'`);
    }
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });
});

describe('a refused request', () => {
  test('says nothing of files or reasons', async () => {
    for (const route of ROUTES) {
      const { body } = await request(target, callOf(route));
      expect(body).not.toContain(target.dataDir);
      expect(body).not.toMatch(/stack|node_modules|\.ts\b/);
    }
  });

  test('is no way around for Next headers', async () => {
    const names = ['middleware', 'src/middleware', 'pages/_middleware'];
    for (const name of names) {
      const forged = { 'x-middleware-subrequest': Array(5).fill(name).join(':') };
      for (const route of ROUTES) {
        const call = callOf(route);
        const { status } = await request(target, { ...call, headers: { ...call.headers, ...forged } });
        expect(status, route.path).toBe(401);
      }
    }
    for (const path of ['/_next/webpack-hmr', '/_next/hmr', '/__nextjs_original-stack-frame']) {
      expect((await request(target, { path })).status, path).toBe(404);
    }
  });

  test('is not let in by forwarding headers', async () => {
    const forged = { 'X-Forwarded-For': '127.0.0.1', 'X-Forwarded-Host': 'x', 'X-Real-IP': '127.0.0.1' };
    expect((await request(target, { path: '/trpc/agents.list', headers: forged })).status).toBe(401);
  });
});

test('a path names a file of the page or nothing', async () => {
  const paths = [
    '/../../../etc/passwd',
    '/%2e%2e%2f%2e%2e%2fetc/passwd',
    '/..%5c..%5cetc%5cpasswd',
    '/_next/static/../../../data/runtime',
    '/%00',
    '/index.html%00.js',
    '/%',
    '/%ff',
    '//etc/passwd',
    '/proc/self/environ',
    '/constructor',
    '/__proto__',
    `/${'a'.repeat(300)}`,
  ];
  for (const path of paths) {
    const { status, body } = await request(target, { path });
    expect(status, path).toBeGreaterThanOrEqual(400);
    expect(status, path).toBeLessThan(500);
    expect(body, path).not.toMatch(/root:|PATH=/);
  }
});

test('what a call refuses has a status of its own, not that of a broken bridge', async () => {
  const input = encodeURIComponent(JSON.stringify({ strand: 'ffffffffffff', turns: 1 }));
  const path = `/trpc/strands.window?input=${input}`;
  const { status } = await request(target, { path, headers: bearer(target.token) });
  expect(status).toBe(IS_BRIDGE ? 404 : 200);
});
