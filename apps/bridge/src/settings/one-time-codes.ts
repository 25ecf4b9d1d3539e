/** Codes of opening links: in memory only, single use, 60 seconds. */
import { sameSecret } from './secrets.ts';

const LIFETIME_MS = 60_000;
const MAX_OPEN = 100;

export interface OneTimeCodes {
  issue(): string;
  /** True once per code. Every open code is compared, each in constant time. */
  use(code: string): boolean;
}

export const createOneTimeCodes = (options: {
  readonly nowMs: () => number;
  readonly newSecret: () => string;
}): OneTimeCodes => {
  let open: { readonly code: string; readonly until: number }[] = [];
  return {
    issue() {
      const code = options.newSecret();
      open = [...open.slice(1 - MAX_OPEN), { code, until: options.nowMs() + LIFETIME_MS }];
      return code;
    },
    use(code) {
      const now = options.nowMs();
      const known = open.filter((entry) => sameSecret(entry.code, code));
      open = open.filter((entry) => entry.until > now && !known.includes(entry));
      return known.some((entry) => entry.until > now);
    },
  };
};
