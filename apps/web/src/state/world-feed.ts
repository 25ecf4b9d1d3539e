/** Keeps the world in step with the global stream; what arrives within a frame is folded at once. */
import type { GlobalEvent } from '@skein/core/protocol/events';
import { problemOf } from '../bridge/problem.ts';
import { createFrameLoop } from './frame.ts';
import { createStore, type Readable } from './store.ts';
import { applyGlobalEvents, EMPTY_WORLD, type World } from './world.ts';

export interface WorldSource {
  follow(handlers: {
    onData: (event: GlobalEvent) => void;
    onError: (error: unknown) => void;
    onComplete: () => void;
  }): { unsubscribe: () => void };
}

export interface WorldFeed {
  readonly world: Readable<World>;
  /** What just happened, for what is said aloud or shown once; called after the world has changed. */
  readonly onEvents: (listener: (events: readonly GlobalEvent[], before: World) => void) => () => void;
  readonly stop: () => void;
}

const AGAIN_MS = 1_000;

export function createWorldFeed(source: WorldSource): WorldFeed {
  const store = createStore(EMPTY_WORLD);
  const listeners = new Set<(events: readonly GlobalEvent[], before: World) => void>();
  let queue: GlobalEvent[] = [];
  let following: { unsubscribe: () => void } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const frames = createFrameLoop(() => {
    const events = queue;
    queue = [];
    const before = store.get();
    store.set(applyGlobalEvents(before, events));
    for (const listener of [...listeners]) listener(events, before);
  });
  const again = () => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(follow, AGAIN_MS);
  };
  function follow() {
    following?.unsubscribe();
    following = source.follow({
      onData: (event) => {
        queue.push(event);
        frames.request();
      },
      // A refused key is told by the client; anything else passes.
      onError: (error) => {
        if (problemOf(error).code !== 'unauthorized') again();
      },
      onComplete: again,
    });
  }
  follow();
  return {
    world: store,
    onEvents: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      frames.stop();
      following?.unsubscribe();
    },
  };
}
