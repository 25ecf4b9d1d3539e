/** Parts of the page that are fetched when they are first wanted. */
import { type ComponentType, lazy } from 'react';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;

/**
 * Like `lazy`, but a part that cannot be fetched (the bridge is away right now) is fetched again until it is there:
 * its placeholder stays meanwhile. A rejected import would take the whole page with it.
 */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await untilLoaded(load) }));
}

export async function untilLoaded<T>(
  load: () => Promise<T>,
  wait: (delayMs: number) => Promise<void> = pause,
): Promise<T> {
  for (let delayMs = FIRST_WAIT_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await load();
    } catch {
      // The connection bar says that the bridge is away; there is nothing to add.
      await wait(delayMs);
    }
  }
}

const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));
