import type { TreeState } from './findings.ts';
import type { Rules } from './rules.ts';

/** What a work tree was at the last capture. */
export interface Captured {
  readonly state: TreeState;
  readonly rules: Rules;
  readonly commit: string;
  readonly tree: string;
  /** Of the commit. */
  readonly atMs: number;
}
