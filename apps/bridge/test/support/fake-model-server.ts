/**
 * A model endpoint for tests: a real HTTP server on loopback that speaks the wire formats of Anthropic,
 * OpenAI (chat completions and Responses) and Google, from a list of replies. It can split its stream
 * anywhere, fail, ask to wait, hang, or cut the connection; it records every request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventsOf, type FakeAnswer, type Wire } from './fake-model-server-wires.ts';

export type FakeReply =
  | (FakeAnswer & {
      /** Sends so many bytes, then destroys the socket. Below 0: counted from the end. */
      readonly cutAt?: number;
      /** Sends so many bytes, then ends the response as if that were all. */
      readonly endAt?: number;
      /** Sends so many bytes, then nothing more, the connection open. */
      readonly hangAt?: number;
      /** `bytes`: one byte a chunk, so that every boundary is a split. A number: chunks of that size. */
      readonly split?: 'bytes' | number;
      /** Before every chunk. */
      readonly delayMs?: number;
    })
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };

export interface FakeRequest {
  readonly wire: Wire;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

export interface FakeModelServer {
  /** Base URL, without a path. */
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  /** How many responses the client left before their end. */
  readonly hangups: () => number;
  /** Replies in the order in which requests come; one too many gets status 400. */
  reply(...replies: readonly FakeReply[]): void;
  /** Forgets the replies that nobody asked for. */
  clear(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export const openFakeModelServer = async (): Promise<FakeModelServer> => {
  const replies: FakeReply[] = [];
  const requests: FakeRequest[] = [];
  let hangups = 0;
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    response.on('close', () => {
      if (!response.writableFinished) hangups += 1;
    });
    const wire = wireOf(path);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({
      wire,
      path,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    await send(
      response,
      wire,
      replies.shift() ?? { status: 400, body: { error: { message: 'no reply is left' } } },
    );
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    hangups: () => hangups,
    reply: (...more) => {
      replies.push(...more);
    },
    clear: () => {
      replies.length = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const wireOf = (path: string): Wire => {
  if (path.includes('/messages')) return 'anthropic';
  if (path.includes('/chat/completions')) return 'chat';
  return path.includes(':streamGenerateContent') ? 'google' : 'responses';
};

const send = async (response: ServerResponse, wire: Wire, reply: FakeReply): Promise<void> => {
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(
      JSON.stringify(reply.body ?? { error: { type: 'fake', message: `status ${reply.status}` } }),
    );
    return;
  }
  const whole = Buffer.from(eventsOf(wire, reply).join(''));
  const limit = reply.cutAt ?? reply.endAt ?? reply.hangAt ?? whole.length;
  const body = whole.subarray(0, limit < 0 ? whole.length + limit : limit);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const size = reply.split === 'bytes' ? 1 : (reply.split ?? body.length) || 1;
  for (let from = 0; from < body.length && !response.destroyed; from += size) {
    if (reply.delayMs !== undefined) await sleep(reply.delayMs);
    await new Promise((resolve) => response.write(body.subarray(from, from + size), resolve));
  }
  if (reply.hangAt !== undefined) return;
  if (reply.cutAt === undefined) response.end();
  // What was written must leave before the socket goes.
  else setTimeout(() => response.destroy(), 20);
};
