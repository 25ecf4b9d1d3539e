/**
 * A queue between a publisher that never waits and one reader that may be slow. What is merged or dropped
 * is the caller's rule; this keeps only the hand-over: one `next()` at a time, an end, no timers.
 */
export interface ReaderQueue<T> {
  /** Wakes the reader. The caller has put something where `take` finds it. */
  wake(): void;
  /** The reader gets this after what is queued. */
  end(error?: unknown): void;
  iterate(): AsyncIterableIterator<T>;
}

export const createReaderQueue = <T>(options: {
  /** The next item, undefined when there is none. */
  readonly take: () => T | undefined;
  readonly signal: AbortSignal;
  /** Called once: the reader left, the signal aborted or the queue ended. Not for a signal aborted beforehand. */
  readonly onClose: () => void;
}): ReaderQueue<T> => {
  const { take, signal, onClose } = options;
  let waiting: { resolve: (result: IteratorResult<T>) => void; reject: (error: unknown) => void } | null =
    null;
  let closed: { readonly error?: unknown } | null = null;
  let told = false;

  const tellClosed = (): void => {
    if (told) return;
    told = true;
    signal.removeEventListener('abort', onAbort);
    onClose();
  };
  const finish = (): IteratorResult<T> => ({ done: true, value: undefined });
  const close = (error?: unknown): void => {
    closed ??= error === undefined ? {} : { error };
    tellClosed();
    const reader = waiting;
    waiting = null;
    if (reader === null) return;
    if (closed.error === undefined) reader.resolve(finish());
    else reader.reject(closed.error);
  };
  const onAbort = (): void => close();
  if (signal.aborted) {
    closed = {};
    told = true;
  } else signal.addEventListener('abort', onAbort, { once: true });

  const next = (): Promise<IteratorResult<T>> => {
    if (signal.aborted) return Promise.resolve(finish());
    const value = take();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (closed !== null)
      return closed.error === undefined ? Promise.resolve(finish()) : Promise.reject(closed.error);
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject };
    });
  };

  return {
    wake() {
      if (waiting === null) return;
      const value = take();
      if (value === undefined) return;
      const reader = waiting;
      waiting = null;
      reader.resolve({ done: false, value });
    },
    end: close,
    iterate() {
      const iterator: AsyncIterableIterator<T> = {
        next,
        return: () => {
          close();
          return Promise.resolve(finish());
        },
        [Symbol.asyncIterator]: () => iterator,
      };
      return iterator;
    },
  };
};
