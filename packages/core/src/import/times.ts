/** Times as records have them: ISO 8601 UTC with milliseconds. */
const EXACT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Smaller numbers are seconds. */
const MILLISECONDS_FROM = 1e11;

/** From an ISO text, or from seconds or milliseconds since 1970; null when it is no time. */
export const isoOf = (value: unknown): string | null => {
  if (typeof value === 'string') {
    const ms = Date.parse(value);
    return Number.isNaN(ms) ? null : EXACT.test(value) ? value : fromMs(ms);
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return fromMs(Math.abs(value) < MILLISECONDS_FROM ? value * 1000 : value);
};

const fromMs = (ms: number): string | null => {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return null;
  const iso = date.toISOString();
  return EXACT.test(iso) ? iso : null;
};

export const NO_TIME = '1970-01-01T00:00:00.000Z';
