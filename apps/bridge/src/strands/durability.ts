/** Which records are on disk before they are acknowledged (DESIGN "Durability"). */
import type { StrandRecord } from '@skein/core/record/schema';
import { isPrompt } from '@skein/core/strand/prompts';

/** Other records are synced with the next durable one, or after this long. */
export const LAZY_SYNC_MS = 1000;

export const isDurable = (record: StrandRecord): boolean => {
  switch (record.kind) {
    case 'tip':
    case 'restore':
    case 'turn':
    case 'decision':
    case 'header':
    case 'recovery':
      return true;
    case 'message':
      return isPrompt(record);
    default:
      return false;
  }
};
