import type { StrandSummary } from '@skein/core/protocol/strands';

/** A turn of the session is open, also while it waits for an answer. */
export const isAtWork = ({ state }: Pick<StrandSummary, 'state'>): boolean =>
  state === 'running' || state === 'waiting';
