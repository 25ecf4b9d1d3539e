import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type BoundServers, bindLoopback } from './bind.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

const bind = async (...wish: Parameters<typeof bindLoopback>): Promise<BoundServers> => {
  const bound = await bindLoopback(...wish);
  open.push(...bound.servers);
  return bound;
};

const occupy = async (host: string, port = 0): Promise<number> => {
  const server: Server = createServer();
  open.push(server);
  server.listen({ host, port, ipv6Only: host === '::1' });
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
};

describe('without a wish', () => {
  test('the next free port is taken when the preferred one is not free', async () => {
    const taken = await occupy('127.0.0.1');
    const { port } = await bind({ port: null, preferredPort: taken });
    expect(port).toBeGreaterThan(taken);
    expect(port).toBeLessThan(taken + 20);
  });

  test('a port that another program has on either address is not shared with it', async () => {
    for (const host of ['127.0.0.1', '::1', '0.0.0.0', '::']) {
      const taken = await occupy(host);
      expect((await bind({ port: null, preferredPort: taken })).port, host).not.toBe(taken);
    }
  });
});

test('both addresses of this machine listen on the same port', async () => {
  const { port, servers } = await bind({ port: 0 });
  const addresses = servers.map((server) => server.address());
  expect(addresses.map((address) => (typeof address === 'object' ? address?.port : 0))).toEqual([port, port]);
  expect(addresses.map((address) => (typeof address === 'object' ? address?.address : ''))).toEqual([
    '127.0.0.1',
    '::1',
  ]);
});

test('a port that the user named and somebody has is refused', async () => {
  const taken = await occupy('127.0.0.1');
  await expect(bindLoopback({ port: taken })).rejects.toMatchObject({ code: 'held', data: { port: taken } });
});
