/** Output of a running tool on its way to the page: joined while nobody takes it, the oldest dropped beyond a cap. */
const MAX_WAITING = 64 * 1024;

export interface LiveText {
  push(text: string): void;
  /** What came since the last call; empty when nothing did. */
  take(): string;
  /** Resolves at the next `push`. */
  more(): Promise<void>;
}

export const openLiveText = (): LiveText => {
  let waiting = '';
  let wake: (() => void) | null = null;
  return {
    push(text) {
      waiting += text;
      if (waiting.length > 2 * MAX_WAITING)
        waiting = waiting.slice(-MAX_WAITING).replace(/^[\udc00-\udfff]/, '');
      wake?.();
      wake = null;
    },
    take() {
      const text = waiting;
      waiting = '';
      return text;
    },
    more() {
      if (waiting !== '') return Promise.resolve();
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
  };
};
