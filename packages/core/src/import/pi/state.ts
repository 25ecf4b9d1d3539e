/** What is remembered while a session of Pi is read. Plain data. */
import type { RecordId } from '../../record/ids.ts';
import type { Chain } from '../chain.ts';

export interface PiState {
  readonly chain: Chain;
  session: string | null;
  /** Records by the tool's own entry ids. */
  readonly entries: Map<string, RecordId | null>;
  /** Version 1: records in file order, since entries are named by their index. */
  readonly order: (RecordId | null)[];
}
