/** Time as a dependency, so that tests can hold it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** ISO 8601 UTC with milliseconds, as records carry it. */
  nowIso(): string;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  nowIso: () => new Date().toISOString(),
};
