/** Tasks with the same key run one after the other, in the order they came. A failed task does not stop the next. */
export interface Queue {
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
}

export const createQueue = (): Queue => {
  const tails = new Map<string, Promise<void>>();
  return {
    async run(key, task) {
      const before = tails.get(key) ?? Promise.resolve();
      const mine = Promise.withResolvers<void>();
      tails.set(key, mine.promise);
      await before;
      try {
        return await task();
      } finally {
        if (tails.get(key) === mine.promise) tails.delete(key);
        mine.resolve();
      }
    },
  };
};
