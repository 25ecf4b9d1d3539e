/** A WebSocket client that remembers everything it got. */
import { WebSocket } from 'ws';
import type { SecurityTarget } from './target.ts';

export interface TestSocket {
  readonly socket: WebSocket;
  readonly messages: string[];
  /** Close code; 0 when it is still open after `waitMs`. */
  closed(waitMs: number): Promise<number>;
  /** The first message that fits, else undefined after `waitMs`. */
  message(fits: (text: string) => boolean, waitMs?: number): Promise<string | undefined>;
}

export type Upgrade =
  | { readonly kind: 'open'; readonly client: TestSocket }
  | { readonly kind: 'refused'; readonly status: number };

export const open = (
  target: Pick<SecurityTarget, 'port'>,
  options: { readonly path?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Upgrade> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${target.port}${options.path ?? '/trpc-ws'}`, {
      headers: { ...options.headers },
    });
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    socket.on('unexpected-response', (req, res) => {
      req.destroy();
      resolve({ kind: 'refused', status: res.statusCode ?? 0 });
    });
    socket.on('error', (error) => reject(error));
    socket.on('open', () => resolve({ kind: 'open', client: toClient(socket, messages) }));
  });

export const mustOpen = async (...parameters: Parameters<typeof open>): Promise<TestSocket> => {
  const upgrade = await open(...parameters);
  if (upgrade.kind === 'open') return upgrade.client;
  throw new Error(`The upgrade was refused with ${upgrade.status}`);
};

const toClient = (socket: WebSocket, messages: string[]): TestSocket => {
  let code = 0;
  socket.on('close', (closeCode) => {
    code = closeCode;
  });
  return {
    socket,
    messages,
    closed: (waitMs) => waitFor(() => (code === 0 ? undefined : code), waitMs).then((found) => found ?? 0),
    message: (fits, waitMs = 2000) => waitFor(() => messages.find(fits), waitMs),
  };
};

const waitFor = async <T>(look: () => T | undefined, waitMs: number): Promise<T | undefined> => {
  const end = Date.now() + waitMs;
  for (;;) {
    const found = look();
    if (found !== undefined || Date.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

export const keyMessage = (data: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ method: 'connectionParams', data });

export const callMessage = (id: number, method: string, path: string, input: unknown = {}): string =>
  JSON.stringify({ id, method, params: { path, input } });
