/** Gives the event loop a turn in long synchronous work, so that the bridge goes on answering. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Call it often; it resolves at once until `sliceMs` of work have gone by. */
export const createPace = (sliceMs = 8): (() => Promise<void> | undefined) => {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
};
