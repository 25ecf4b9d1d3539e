/** Stops a model that goes round in circles (requirements 148): the same call with the same result, four times in eight steps. */
const WINDOW = 8;
const SAME = 4;

export interface LoopGuard {
  /** Notes what one step called and got; true when the loop must stop. */
  note(
    calls: readonly { readonly name: string; readonly input: unknown; readonly result: string }[],
  ): boolean;
}

export const createLoopGuard = (): LoopGuard => {
  const steps: (readonly string[])[] = [];
  return {
    note(calls) {
      steps.push(calls.map(({ name, input, result }) => JSON.stringify([name, input, result])));
      if (steps.length > WINDOW) steps.shift();
      const counts = new Map<string, number>();
      for (const key of steps.flatMap((step) => [...new Set(step)])) {
        const count = (counts.get(key) ?? 0) + 1;
        if (count >= SAME) return true;
        counts.set(key, count);
      }
      return false;
    },
  };
};
