// TRAPS T6: the route table is the router itself.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, callOf, JSON_TYPE, ROUTES, request } from './requests.ts';
import { type SecurityTarget, startTarget } from './target.ts';

let target: SecurityTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

const hashOf = async (dir: string): Promise<string> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  // What a request may leave: lines in the log, and the search index, which can be thrown away at any time.
  const lasting = files.filter((name) => !name.includes('/logs/') && !name.includes('/index.sqlite'));
  for (const file of lasting.sort()) {
    hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex');
};

test('the table holds every kind of route', () => {
  expect(ROUTES.length).toBeGreaterThan(35);
  expect(new Set(ROUTES.map((route) => route.type))).toEqual(new Set(['query', 'mutation', 'subscription']));
});

describe('without a key', () => {
  test.each(ROUTES)('$path answers 401 to GET, HEAD and POST, and does not run', async (route) => {
    const before = target.calls();
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await request(target, { method, path: `/trpc/${route.path}`, headers: JSON_TYPE });
      expect(answer.status, method).toBe(401);
    }
    expect((await request(target, callOf(route))).status).toBe(401);
    expect(target.calls()).toBe(before);
  });

  test('a route that does not exist answers 401 too: nothing can be listed', async () => {
    expect((await request(target, { path: '/trpc/no.such' })).status).toBe(401);
    expect((await request(target, { path: '/trpc/agents.list,system.stop?batch=1' })).status).toBe(401);
  });

  test('what looks like a key is none', async () => {
    const { token } = target;
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      `bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token} `.repeat(2),
      `Basic ${token}`,
      token,
      `Bearer ${'A'.repeat(43)}`,
      `Bearer ${'A'.repeat(5000)}`,
    ];
    for (const Authorization of wrong) {
      const { status } = await request(target, { path: '/trpc/agents.list', headers: { Authorization } });
      expect(status, Authorization.slice(0, 60)).toBe(401);
    }
  });

  test('a key in the query, a cookie or the body is not looked at', async () => {
    const { token } = target;
    for (const name of ['token', 'key', 'access_token', 'authorization']) {
      expect((await request(target, { path: `/trpc/agents.list?${name}=${token}` })).status).toBe(401);
    }
    const headers = { Cookie: `token=${token}; key=${token}` };
    expect((await request(target, { path: '/trpc/agents.list', headers })).status).toBe(401);
    const body = JSON.stringify({ token, key: token });
    const posted = await request(target, {
      method: 'POST',
      path: '/trpc/system.stop',
      headers: JSON_TYPE,
      body,
    });
    expect(posted.status).toBe(401);
  });
});

describe('with the token', () => {
  test.each(ROUTES)('$path refuses a body that is not declared as JSON', async (route) => {
    const before = target.calls();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      undefined,
    ]) {
      const headers = { ...bearer(target.token), ...(type === undefined ? {} : { 'Content-Type': type }) };
      const answer = await request(target, {
        method: 'POST',
        path: `/trpc/${route.path}`,
        headers,
        body: '{}',
      });
      expect(answer.status, type).toBe(415);
    }
    expect(target.calls()).toBe(before);
  });

  test.each(ROUTES)('$path changes nothing on GET or HEAD', async (route) => {
    const before = await hashOf(target.dataDir);
    const ran = target.calls();
    const headers = bearer(target.token);
    for (const path of [`/trpc/${route.path}`, `/trpc/${route.path}?input=%7B%7D`]) {
      const got = await request(target, { path, headers });
      if (route.type !== 'query') expect(got.status).toBe(405);
      await request(target, { method: 'HEAD', path, headers });
    }
    if (route.type !== 'query') expect(target.calls()).toBe(ran);
    expect(await hashOf(target.dataDir)).toBe(before);
  });

  test('two JSON values, broken JSON and a body beyond the cap are refused', async () => {
    const headers = { ...bearer(target.token), ...JSON_TYPE };
    for (const body of ['{}{}', '{', 'null null']) {
      const { status } = await request(target, {
        method: 'POST',
        path: '/trpc/settings.setKey',
        headers,
        body,
      });
      expect(status, body).toBe(400);
    }
    const large = JSON.stringify({ provider: 'x', key: 'k'.repeat(33 * 1024 * 1024) });
    const tooLarge = await request(target, {
      method: 'POST',
      path: '/trpc/settings.setKey',
      headers,
      body: large,
    });
    expect([413, 0]).toContain(tooLarge.status);
  });

  test('a batch beyond 100 calls is refused', async () => {
    const paths = Array(101).fill('agents.list').join(',');
    const path = `/trpc/${paths}?batch=1&input=%7B%7D`;
    const before = target.calls();
    expect((await request(target, { path, headers: bearer(target.token) })).status).toBeGreaterThanOrEqual(
      400,
    );
    expect(target.calls()).toBe(before);
  });
});
