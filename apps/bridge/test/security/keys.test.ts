// TRAPS T7 and T19: token, browser keys, one-time codes, and the bridge's own proof.
import { createHmac } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, JSON_TYPE, KINDS, request } from './requests.ts';
import { type SecurityTarget, startTarget } from './target.ts';

let target: SecurityTarget;
const umask = process.umask(0);
beforeAll(async () => {
  target = await startTarget();
});
afterAll(async () => {
  process.umask(umask);
  await target[Symbol.asyncDispose]();
});

const filesOf = async (dir: string): Promise<string[]> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  request(target, {
    method: 'POST',
    path,
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(body),
  });

test('files are private whatever the umask', async () => {
  await post('/pair', { code: await target.issueCode() });
  const entries = await readdir(target.dataDir, { recursive: true, withFileTypes: true });
  expect(entries.length).toBeGreaterThan(5);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    expect((await stat(path)).mode & 0o777, path).toBe(entry.isDirectory() ? 0o700 : 0o600);
  }
});

test('the token is 32 random bytes', () => {
  expect(Buffer.from(target.token, 'base64url')).toHaveLength(32);
});

describe('a one-time code', () => {
  test('becomes a key once, for one of many that try it at the same time', async () => {
    const code = await target.issueCode();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/pair', { code })));
    const good = answers.filter((answer) => answer.status === 200);
    expect(good).toHaveLength(1);
    const { key } = JSON.parse(good[0]?.body ?? '') as { key: string };
    expect(key).not.toBe(target.token);
    expect((await request(target, { path: '/trpc/agents.list', headers: bearer(key) })).status).toBe(200);
    expect((await request(target, { path: '/trpc/agents.list', headers: bearer(code) })).status).toBe(401);
  });

  test('is taken as JSON in a small body only', async () => {
    const code = await target.issueCode();
    const body = JSON.stringify({ code });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const answer = await request(target, {
        method: 'POST',
        path: '/pair',
        headers: { 'Content-Type': type },
        body,
      });
      expect(answer.status).toBe(415);
    }
    expect((await request(target, { path: `/pair?code=${code}` })).status).toBe(405);
    expect((await post('/pair', { code, label: 'x'.repeat(5000) })).status).toBe(413);
    expect((await post('/pair', { code, more: 1 })).status).toBe(400);
    expect((await post('/pair', [code])).status).toBe(400);
    expect((await post('/pair', { code, label: 'a\u0000\u202e<b>' })).status).toBe(200);
  });

  test('cannot be guessed at any speed', async () => {
    let last = 0;
    for (let guess = 0; guess < 25; guess += 1)
      last = (await post('/pair', { code: `guess-${guess}` })).status;
    expect(last).toBe(429);
    expect((await request(target, { path: '/trpc/agents.list', headers: bearer(target.token) })).status).toBe(
      200,
    );
  });
});

test('no secret is in any file but the token in its own, nor in any answer', async () => {
  const code = await target.issueCode();
  const secrets = [target.token, code];
  for (const kind of KINDS) {
    for (const headers of [bearer(target.token), bearer(`${target.token}x`), { Cookie: target.token }]) {
      const parts = { ...kind, path: `${kind.path}${kind.path?.includes('?') ? '&' : '?'}t=${target.token}` };
      const answer = await request(target, { ...parts, headers: { ...kind.headers, ...headers } });
      for (const secret of secrets) expect(JSON.stringify(answer)).not.toContain(secret);
    }
  }
  for (const file of await filesOf(target.dataDir)) {
    const text = await readFile(file, 'utf8');
    expect(text, file).not.toContain(code);
    if (!file.endsWith('/token')) expect(text, file).not.toContain(target.token);
  }
});

describe('the proof', () => {
  const nonce = 'c29tZS1yYW5kb20tbm9uY2U';

  test('shows that the bridge holds the token, bound to nonce and port', async () => {
    const { status, body } = await post('/prove', { nonce });
    const text = `skein-prove:${target.port}:${nonce}`;
    const expected = createHmac('sha256', target.token).update(text).digest('base64url');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ proof: expected });
  });

  test('is no key', async () => {
    const { proof } = JSON.parse((await post('/prove', { nonce })).body) as { proof: string };
    expect((await request(target, { path: '/trpc/agents.list', headers: bearer(proof) })).status).toBe(401);
  });

  test('is not for short nonces or other pages', async () => {
    expect((await post('/prove', { nonce: 'x' })).status).toBe(400);
    expect((await post('/prove', { nonce }, { Origin: 'https://evil.example' })).status).toBe(403);
  });
});
