/** Waits for all of several things to end, also when one of them fails: what closes next must not overtake the others. */

/** Rejects with the fault when there was one, with an `AggregateError` of all when there were several. */
export const settleAll = async (work: readonly Promise<unknown>[]): Promise<void> => {
  const outcomes = await Promise.allSettled(work);
  const faults = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1) throw new AggregateError(faults, 'Several things could not be ended well.');
};
