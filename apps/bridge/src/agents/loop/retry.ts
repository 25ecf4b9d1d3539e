/** When a failed model call is tried again: a fixed schedule without chance, lengthened by the server's wish. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelFailure } from './failure.ts';

export interface RetryPolicy {
  /** One delay per further try, in milliseconds. */
  readonly delaysMs: readonly number[];
  /** A server that asks for more than this is not waited for. */
  readonly maxWaitMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  delaysMs: [1000, 2000, 4000, 8000, 16_000],
  maxWaitMs: 120_000,
};

/** Milliseconds until the next try after `attempt` (1-based) failed, or null to give up. */
export const retryDelay = (policy: RetryPolicy, failure: ModelFailure, attempt: number): number | null => {
  const delay = policy.delaysMs[attempt - 1];
  if (!failure.retryable || delay === undefined) return null;
  const wanted = failure.retryAfterMs ?? 0;
  return wanted > policy.maxWaitMs ? null : Math.max(delay, wanted);
};

/** False when the turn was interrupted meanwhile. */
export const pause = async (ms: number, signal: AbortSignal): Promise<boolean> => {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
};
