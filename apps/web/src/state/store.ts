/** A value that changes over time, in the shape that `useSyncExternalStore` wants. */
import { useSyncExternalStore } from 'react';

export interface Readable<T> {
  readonly get: () => T;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface Store<T> extends Readable<T> {
  readonly set: (next: T) => void;
  readonly update: (change: (value: T) => T) => void;
}

/** Listeners run after each change to another value; setting the same value tells nobody. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const set = (next: T) => {
    if (Object.is(next, value)) return;
    value = next;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Readable<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** `select` must give the same object as long as what it reads is the same. */
export function useSelected<T, S>(store: Readable<T>, select: (value: T) => S): S {
  const get = () => select(store.get());
  return useSyncExternalStore(store.subscribe, get, get);
}
