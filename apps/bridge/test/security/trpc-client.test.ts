// The clients that the page and the CLI use, against the same listener: the rules above must not be in their way.
import { createTRPCClient, createWSClient, httpBatchLink, splitLink, wsLink } from '@trpc/client';
import { expect, test } from 'vitest';
import type { AppRouter } from '../../src/api/router.ts';
import { startTarget } from './target.ts';

const clientOf = (url: string, token: string) => {
  const socket = createWSClient({
    url: `${url.replace('http:', 'ws:')}/trpc-ws`,
    connectionParams: { token },
    keepAlive: { enabled: true, intervalMs: 50, pongTimeoutMs: 1000 },
    retryDelayMs: () => 50,
  });
  const client = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === 'subscription' || op.context['over'] === 'ws',
        true: wsLink({ client: socket }),
        false: httpBatchLink({ url: `${url}/trpc`, headers: { authorization: `Bearer ${token}` } }),
      }),
    ],
  });
  return { client, socket };
};

test('queries, mutations, batches and subscriptions work with a key', async () => {
  await using target = await startTarget();
  const { client, socket } = clientOf(target.url, target.token);
  const over = { context: { over: 'ws' } };
  const [agents, jobs, cancelled] = await Promise.all([
    client.agents.list.query(),
    client.jobs.list.query(),
    client.jobs.cancel.mutate({ id: 'none' }),
  ]);
  expect([Array.isArray(agents), Array.isArray(jobs), cancelled]).toEqual([true, true, { cancelled: false }]);
  expect(await client.jobs.cancel.mutate({ id: 'none' }, over)).toEqual({ cancelled: false });
  const event = await new Promise((resolve, reject) => {
    const subscription = client.events.all.subscribe(undefined, {
      onData: (data) => {
        subscription.unsubscribe();
        resolve(data);
      },
      onError: reject,
    });
  });
  expect(event).toHaveProperty('type');
  await socket.close();
});

test('without a key both say unauthorized in the words of the protocol', async () => {
  await using target = await startTarget();
  const { client, socket } = clientOf(target.url, 'x'.repeat(43));
  const failed = await client.agents.list.query().catch((error: unknown) => error);
  expect(failed).toMatchObject({ data: { code: 'UNAUTHORIZED', skein: { code: 'unauthorized' } } });
  await socket.close();
});
