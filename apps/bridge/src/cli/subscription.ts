/** A tRPC subscription as an async iterable that a loop can end, with a limit on how long a lost bridge is waited for. */
import { BridgeError } from '@skein/core/protocol/errors';

interface Observer<T> {
  readonly onData: (value: T) => void;
  readonly onError: (error: unknown) => void;
  readonly onComplete: () => void;
  readonly onConnectionStateChange: (state: { readonly state: string }) => void;
}

type Subscribe<T> = (observer: Observer<T>) => { unsubscribe(): void };

const LOST_MS = 30_000;

/** Subscribes at the first step. Ends when `signal` aborts or the server is done; throws what the server threw. */
export async function* iterate<T>(subscribe: Subscribe<T>, signal: AbortSignal): AsyncGenerator<T> {
  const waiting: T[] = [];
  let end: { readonly error: unknown } | 'done' | null = null;
  let wake = (): void => undefined;
  const finish = (how: { readonly error: unknown } | 'done'): void => {
    end ??= how;
    wake();
  };
  const lost = lossTimer(() => finish({ error: lostError() }));
  const onAbort = (): void => finish('done');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const subscription = subscribe({
    onData: (value) => {
      waiting.push(value);
      wake();
    },
    onError: (error) => finish({ error }),
    onComplete: () => finish('done'),
    onConnectionStateChange: ({ state }) => lost.saw(state),
  });
  try {
    for (;;) {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) yield next;
      if (end !== null) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0 || end !== null) resolve();
      });
    }
    if (end !== 'done') throw (end as { readonly error: unknown }).error;
  } finally {
    lost.stop();
    signal.removeEventListener('abort', onAbort);
    subscription.unsubscribe();
  }
}

const lossTimer = (onLost: () => void): { saw(state: string): void; stop(): void } => {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    saw(state) {
      if (state === 'connecting') timer ??= setTimeout(onLost, LOST_MS);
      else stop();
    },
    stop,
  };
};

const lostError = (): BridgeError =>
  new BridgeError('io', 'The bridge stopped answering; the turn goes on if it still runs. See "skein show".');
