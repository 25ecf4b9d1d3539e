/** "3 min ago": how long ago a moment was, in one short unit. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `at` is ISO 8601; a moment in the future, or none at all, is "now" and the text itself. */
export const relativeTime = (at: string, nowMs: number): string => {
  const then = Date.parse(at);
  if (Number.isNaN(then)) return at;
  const ago = nowMs - then;
  if (ago < MINUTE) return 'now';
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min ago`;
  if (ago < DAY) return `${Math.floor(ago / HOUR)} h ago`;
  if (ago < 30 * DAY) return `${Math.floor(ago / DAY)} d ago`;
  return at.slice(0, 10);
};
