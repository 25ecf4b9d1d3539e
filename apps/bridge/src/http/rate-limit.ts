/** At most so many failures in a sliding window. Codes are too long to guess; this keeps noise and load down. */
export interface RateLimit {
  /** True while there were fewer failures than allowed. */
  open(): boolean;
  fail(): void;
}

export const createRateLimit = (options: {
  readonly nowMs: () => number;
  readonly max: number;
  readonly windowMs: number;
}): RateLimit => {
  let failures: number[] = [];
  const recent = (): number[] => failures.filter((at) => at > options.nowMs() - options.windowMs);
  return {
    open() {
      failures = recent();
      return failures.length < options.max;
    },
    fail() {
      failures = [...recent(), options.nowMs()].slice(-options.max);
    },
  };
};
