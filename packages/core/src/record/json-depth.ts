/**
 * How deep a JSON value may nest. `JSON.parse` accepts 20,000 levels that `JSON.stringify` then cannot
 * write (TRAPS V18), so a deeper value is refused on the way in and on the way out.
 */
export const MAX_JSON_DEPTH = 200;

/** True when no array or object of `value` lies deeper than `limit` levels; a scalar has depth 0. */
export const isWithinDepth = (value: unknown, limit: number = MAX_JSON_DEPTH): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  if (limit === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isWithinDepth(item, limit - 1));
  // Not Object.values: this runs for every line of every strand, and the array it makes is garbage at once.
  for (const key in value) {
    if (!isWithinDepth((value as Record<string, unknown>)[key], limit - 1)) return false;
  }
  return true;
};
