// TRAPS T5: the WebSocket matrix.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, ROUTES } from './requests.ts';
import { callMessage, keyMessage, mustOpen, open, type TestSocket } from './socket-client.ts';
import { type SecurityTarget, startTarget } from './target.ts';

let target: SecurityTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

const PARAMS = '/trpc-ws?connectionParams=1';
const pair = async (): Promise<{ id: string; key: string }> => {
  const body = JSON.stringify({ code: await target.issueCode(), label: 'test' });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${target.url}/pair`, { method: 'POST', headers, body });
  return (await answer.json()) as { id: string; key: string };
};

describe('the upgrade', () => {
  test('is refused for a bad Origin, Host, path or fetch site, whatever the token', async () => {
    const good = bearer(target.token);
    const bad: readonly { headers?: Record<string, string>; path?: string }[] = [
      { headers: { Origin: 'https://evil.example' } },
      { headers: { Origin: 'null' } },
      { headers: { Origin: `http://127.0.0.1:${target.port + 1}` } },
      { headers: { Origin: `http://localhost:${target.port}` } },
      { headers: { Origin: `ws://127.0.0.1:${target.port}` } },
      { headers: { Host: 'evil.example.com' } },
      { headers: { Host: `127.0.0.1.nip.io:${target.port}` } },
      { headers: { 'Sec-Fetch-Site': 'cross-site' } },
      { headers: { 'Sec-Fetch-Site': 'same-site' } },
      { path: '/' },
      { path: '/trpc-ws/' },
      { path: '/trpc/strands.list' },
      { path: '/_next/webpack-hmr' },
    ];
    for (const { headers, path } of bad) {
      for (const token of [{}, good, bearer('x'.repeat(43))]) {
        const upgrade = await open(target, { ...(path ? { path } : {}), headers: { ...token, ...headers } });
        expect(upgrade, JSON.stringify({ headers, path })).toMatchObject({ kind: 'refused' });
      }
    }
  });

  test('is refused for a wrong token in the header', async () => {
    expect(await open(target, { headers: bearer('x'.repeat(43)) })).toEqual({ kind: 'refused', status: 401 });
    expect(await open(target, { headers: { Authorization: 'Basic abc' } })).toMatchObject({
      kind: 'refused',
    });
  });

  test('is open to our page and to a client that is no browser', async () => {
    for (const headers of [{}, { Origin: target.url }]) {
      const client = await mustOpen(target, { headers: { ...headers, ...bearer(target.token) } });
      client.socket.send(callMessage(1, 'query', 'agents.list', undefined));
      expect(await client.message((text) => text.includes('"id":1'))).toContain('"result"');
      client.socket.close();
    }
  });
});

describe('before the first message', () => {
  const first = [
    'PING',
    '',
    '{}',
    'null',
    callMessage(1, 'query', 'agents.list'),
    callMessage(1, 'subscription', 'events.all'),
    keyMessage({}),
    keyMessage({ key: '' }),
    keyMessage({ key: 'x'.repeat(43) }),
    keyMessage({ token: null }),
    keyMessage({ key: { toString: 'x' } }),
    `[${keyMessage({ key: 'x' })}]`,
  ];
  test.each(first)('%s is answered by nothing but the end', async (text) => {
    for (const path of ['/trpc-ws', PARAMS]) {
      const before = target.calls();
      const client = await mustOpen(target, { path });
      client.socket.send(text);
      client.socket.send(keyMessage({ token: target.token }));
      client.socket.send(callMessage(2, 'mutation', 'system.stop'));
      expect(await client.closed(2000)).toBe(4401);
      expect(client.messages).toEqual([]);
      expect(target.calls()).toBe(before);
    }
  });

  test('a token in the query counts for nothing', async () => {
    const { token } = target;
    const client = await mustOpen(target, {
      path: `/trpc-ws?token=${token}&key=${token}&authorization=${token}`,
    });
    client.socket.send(callMessage(1, 'query', 'agents.list'));
    expect(await client.closed(2000)).toBe(4401);
    expect(client.messages).toEqual([]);
  });

  test('the key must be text', async () => {
    const client = await mustOpen(target);
    client.socket.send(Buffer.from(keyMessage({ token: target.token })), { binary: true });
    expect(await client.closed(2000)).toBe(4401);
  });

  test('20 sockets may wait, for 5 seconds, and one with a key is not in their way', async () => {
    const waiting: TestSocket[] = [];
    for (let count = 0; count < 20; count += 1) waiting.push(await mustOpen(target));
    expect(await open(target)).toEqual({ kind: 'refused', status: 503 });
    const known = await mustOpen(target, { headers: bearer(target.token) });
    const codes = await Promise.all(waiting.map((client) => client.closed(6000)));
    expect(new Set(codes)).toEqual(new Set([4401]));
    expect(waiting.flatMap((client) => client.messages)).toEqual([]);
    expect(known.socket.readyState).toBe(known.socket.OPEN);
    known.socket.close();
    (await mustOpen(target)).socket.close();
  });

  test.each(ROUTES)('$path does not run', async (route) => {
    const before = target.calls();
    const client = await mustOpen(target);
    client.socket.send(callMessage(1, route.type, route.path));
    expect(await client.closed(2000)).toBe(4401);
    expect(client.messages).toEqual([]);
    expect(target.calls()).toBe(before);
  });
});

describe('after a good first message', () => {
  test.each(['/trpc-ws', PARAMS])('calls are answered (%s)', async (path) => {
    const { key } = await pair();
    for (const data of [{ token: target.token }, { key }]) {
      const client = await mustOpen(target, { path, headers: { Origin: target.url } });
      client.socket.send(keyMessage(data));
      client.socket.send(callMessage(1, 'query', 'agents.list', undefined));
      client.socket.send(callMessage(2, 'subscription', 'events.all', undefined));
      expect(await client.message((text) => text.includes('"id":1'))).toContain('"result"');
      expect(await client.message((text) => text.includes('"page"'))).toContain('"id":2');
      client.socket.close();
    }
  });

  test('a revoked key ends its sockets at once, and no others', async () => {
    const [mine, other] = [await pair(), await pair()];
    const socket = await mustOpen(target, { path: PARAMS });
    socket.socket.send(keyMessage({ key: mine.key }));
    const stays = await mustOpen(target, { headers: bearer(other.key) });
    socket.socket.send(callMessage(1, 'subscription', 'events.all', undefined));
    await socket.message((text) => text.includes('"page"'));
    const before = target.calls();
    const revoked = target.revoke(mine.id);
    // On its way before the client can know.
    socket.socket.send(callMessage(9, 'mutation', 'jobs.cancel', { id: 'none' }));
    expect(await revoked).toBe(true);
    expect(await socket.closed(1000)).toBe(4401);
    expect(target.calls()).toBe(before);
    expect(stays.socket.readyState).toBe(stays.socket.OPEN);
    stays.socket.close();
    expect(await open(target, { headers: bearer(mine.key) })).toEqual({ kind: 'refused', status: 401 });
  });

  test('101 calls in one message and a message beyond the cap are refused', async () => {
    const before = target.calls();
    const client = await mustOpen(target, { headers: bearer(target.token) });
    const call = JSON.parse(callMessage(1, 'query', 'agents.list')) as unknown;
    client.socket.send(JSON.stringify(Array(101).fill(call)));
    expect(await client.message((text) => text.includes('"error"'))).toContain('"id":null');
    expect(target.calls()).toBe(before);
    client.socket.send('x'.repeat(33 * 1024 * 1024));
    expect(await client.closed(5000)).toBe(1009);
  });
});
