/** A refusal of the gate: an expected outcome, told to the agent in words. */
import { isBridgeError } from '@skein/core/protocol/errors';
import type { GateRefusal } from './gate-types.ts';

export interface Refused {
  readonly kind: 'refused';
  readonly reason: GateRefusal;
  readonly message: string;
}

export const refuse = (reason: GateRefusal, message: string): Refused => ({
  kind: 'refused',
  reason,
  message,
});

/** For faults before anything was written; others are thrown on. */
export const refusedPark = (path: string, error: unknown): Refused => {
  if (!isBridgeError(error)) throw error;
  return refuse(
    'park_failed',
    `${path} was not touched: its present version could not be saved. ${error.message}`,
  );
};
