// What a listener owes its clients: slow ones, static ones, and everybody on the way out.
import { connect } from 'node:net';
import { recordIdSchema } from '@skein/core/record/ids';
import { afterEach, describe, expect, test } from 'vitest';
import type { Flows } from '../../src/api/flows.ts';
import { appRouter } from '../../src/api/router.ts';
import { createEventHub } from '../../src/events/hub.ts';
import { type Listener, startListener } from '../../src/http/listener.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { Access } from '../../src/settings/access-types.ts';
import { startListenerTarget } from './listener-target.ts';
import { bearer, request } from './requests.ts';
import { callMessage, mustOpen, open } from './socket-client.ts';
import { createTrivialFlows, STRAND } from './trivial-flows.ts';

const TOKEN = 't'.repeat(43);
const access: Access = {
  identify: (secret) => (secret === TOKEN ? { kind: 'token' } : null),
  pair: async () => null,
  prove: () => '',
  onRevoked: () => () => undefined,
};

let listener: Listener | null = null;
afterEach(async () => {
  await listener?.close(100);
  listener = null;
});
const listen = async (flows: Flows, pingMs?: number): Promise<Listener> => {
  listener = await startListener({
    port: 0,
    web: [],
    flows,
    access,
    router: appRouter,
    clock: systemClock,
    log: silentLog,
    pingMs,
  });
  return listener;
};

describe('a client that does not read', () => {
  test('holds little memory, costs the publisher no time, and gets every record when it reads again', async () => {
    const hub = createEventHub();
    const { flows } = createTrivialFlows();
    const turn = recordIdSchema.parse('0123456789ab');
    let grewSeen = 0;
    const { port } = await listen({
      ...flows,
      events: {
        ...flows.events,
        async *strand(_input, signal) {
          for await (const item of hub.followStrand(STRAND, signal)) {
            if (item.type === 'grew') grewSeen += 1;
            if (item.type === 'live')
              yield { cursor: null, event: { type: 'live', turn, event: item.event } };
            else yield { cursor: null, event: { type: 'resync', reason: item.type } };
          }
        },
      },
    });
    const client = await mustOpen({ port }, { headers: bearer(TOKEN) });
    client.socket.send(callMessage(1, 'subscription', 'events.strand', { strand: STRAND, after: null }));
    await client.message((text) => text.includes('started'));
    client.socket.pause();
    const before = process.memoryUsage().rss;
    const startedAt = performance.now();
    const text = 'z'.repeat(16 * 1024);
    for (let n = 1; n <= 20_000; n += 1) {
      hub.live(STRAND, { turn, event: { type: 'text', block: 'b', text }, seq: 1, n });
      if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    hub.strandGrew(STRAND);
    // 320 MB were published: neither the socket nor the queue may hold more than a small part of it.
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    client.socket.resume();
    expect(await client.message((message) => message.includes('"grew"'), 10_000)).toBeDefined();
    expect(client.messages.some((message) => message.includes('"dropped"'))).toBe(true);
    expect(grewSeen).toBe(1);
    client.socket.close();
  });

  test('is cut off when it answers no ping', async () => {
    const { port, clients } = await listen(createTrivialFlows().flows, 200);
    const wire = connect({ port, host: '127.0.0.1' });
    wire.write(
      [
        'GET /trpc-ws HTTP/1.1',
        `Host: 127.0.0.1:${port}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        `Authorization: Bearer ${TOKEN}`,
        '\r\n',
      ].join('\r\n'),
    );
    const ended = new Promise((resolve) => {
      wire.on('close', resolve);
      wire.on('error', resolve);
    });
    wire.resume();
    await ended;
    await expect.poll(clients).toBe(0);
  });
});

describe('closing', () => {
  test('asks pages to connect again and ends within its deadline, whoever hangs on', async () => {
    const started = await listen(createTrivialFlows().flows);
    const polite = await mustOpen(started, { headers: bearer(TOKEN) });
    const deaf = await mustOpen(started, { headers: bearer(TOKEN) });
    const waiting = await mustOpen(started);
    const half = connect({ port: started.port, host: '127.0.0.1' });
    half.on('error', () => undefined);
    half.write('GET / HTTP/1.1\r\nHost: x');
    await new Promise((resolve) => half.once('connect', resolve));
    deaf.socket.pause();
    const startedAt = performance.now();
    await started.close(500);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    expect(await polite.message((text) => text.includes('reconnect'))).toBe(
      '{"id":null,"method":"reconnect"}',
    );
    expect(await polite.closed(1000)).toBe(1001);
    expect(waiting.messages).toEqual([]);
    await expect(open(started)).rejects.toThrow(/ECONNREFUSED/);
    deaf.socket.terminate();
    half.destroy();
    listener = null;
  });

  test('twice is fine', async () => {
    const started = await listen(createTrivialFlows().flows);
    await Promise.all([started.close(100), started.close(100)]);
    await started.close(100);
  });
});

test('static answers are compressed, validated, and without a body for HEAD', async () => {
  await using target = await startListenerTarget();
  const asset = { path: '/_next/static/a.js', headers: { 'Accept-Encoding': 'br' } };
  const first = await request(target, asset);
  expect(first.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
  expect(first.headers['cache-control']).toContain('immutable');
  const again = { ...asset, headers: { ...asset.headers, 'If-None-Match': first.headers['etag'] ?? '' } };
  expect(await request(target, again)).toMatchObject({ status: 304, body: '' });
  const head = await request(target, { ...asset, method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, body: '' });
  expect(head.headers['content-length']).toBe(first.headers['content-length']);
  expect((await request(target, { path: '/?s=0123456789ab' })).headers['cache-control']).toBe('no-cache');
  expect((await request(target, { path: '/nowhere' })).body).toContain('Nothing here');
  expect((await request(target, { method: 'POST', path: '/' })).status).toBe(405);
});
