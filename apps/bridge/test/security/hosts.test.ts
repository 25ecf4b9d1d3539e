// TRAPS T1 and T2: who may be reached, and under which names.
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, callOf, KINDS, type RequestParts, ROUTES, request, sendRaw } from './requests.ts';
import { type SecurityTarget, startTarget } from './target.ts';

let target: SecurityTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

const withToken = (parts: RequestParts): RequestParts => ({
  ...parts,
  headers: { ...parts.headers, ...bearer(target.token) },
});

const badHosts = (port: number): readonly (readonly string[])[] => [
  ['evil.example.com'],
  [`evil.example.com:${port}`],
  [`localhost.evil.com:${port}`],
  [`127.0.0.1.nip.io:${port}`],
  [`localhost.:${port}`],
  [`LOCALHOST:${port}`],
  [`127.1:${port}`],
  [`2130706433:${port}`],
  [`0.0.0.0:${port}`],
  [`[::]:${port}`],
  [`user@127.0.0.1:${port}`],
  ['127.0.0.1'],
  ['127.0.0.1:1'],
  [''],
  [`127.0.0.1:${port}`, 'evil.example.com'],
  [`127.0.0.1:${port}`, `127.0.0.1:${port}`],
  [],
];

describe('a valid token under a wrong Host', () => {
  test('gets 4xx from every kind of address', async () => {
    for (const hosts of badHosts(target.port)) {
      for (const kind of KINDS) {
        const { status } = await request(target, { ...withToken(kind), hosts });
        expect(status, `${JSON.stringify(hosts)} ${kind.path}`).toBe(403);
      }
    }
  });

  test('gets 403 from every route of the router, and none runs', async () => {
    const before = target.calls();
    for (const route of ROUTES) {
      const { status } = await request(target, { ...withToken(callOf(route)), hosts: ['evil.example.com'] });
      expect(status, route.path).toBe(403);
    }
    expect(target.calls()).toBe(before);
  });

  test('gets 4xx over HTTP/1.0 without a Host and with an absolute target', async () => {
    for (const kind of KINDS) {
      const old = await request(target, { ...withToken(kind), version: '1.0', hosts: [] });
      expect(old.status, `1.0 ${kind.path}`).toBe(403);
      const absolute = `http://127.0.0.1:${target.port}${kind.path}`;
      expect((await request(target, { ...withToken(kind), path: absolute })).status).toBe(403);
      expect(
        (await request(target, { ...withToken(kind), path: `//evil.example.com${kind.path}` })).status,
      ).toBe(403);
    }
  });
});

test('our three names are answered', async () => {
  for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
    const hosts = [`${name}:${target.port}`];
    expect((await request(target, { path: '/health', hosts })).body).toBe('ok');
    expect((await request(target, { ...withToken({ path: '/trpc/agents.list' }), hosts })).status).toBe(200);
  }
});

test('nothing listens on an address of the network', async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  for (const { address, internal, family } of addresses) {
    if (internal || family !== 'IPv4') continue;
    const text = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\n\r\n`;
    await expect(sendRaw({ port: target.port, host: address }, text)).rejects.toThrow(/ECONNREFUSED/);
  }
});
