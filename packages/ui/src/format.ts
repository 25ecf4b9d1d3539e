/** Numbers and times as a person reads them. Callers pass the present in: nothing here looks at a clock. */

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `812 B`, `4.1 KB`, `12 MB`. */
export const formatBytes = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
};

/** `340 ms`, `4.2 s`, `3 min 12 s`, `1 h 4 min`. */
export const formatDuration = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0
    ? `${Math.floor(minutes / 60)} h`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** `now`, `4 min`, `3 h`, `2 d`, then the date. */
export const formatAgo = (at: string, nowMs: number): string => {
  const then = Date.parse(at);
  if (Number.isNaN(then)) return '';
  const minutes = Math.floor((nowMs - then) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  if (minutes < 7 * 24 * 60) return `${Math.floor(minutes / 1440)} d`;
  const sameYear = new Date(then).getFullYear() === new Date(nowMs).getFullYear();
  return (sameYear ? DAY : DAY_AND_YEAR).format(then);
};

// Made once: a formatter costs a hundred times what formatting does.
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DATE_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const DAY_AND_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const COUNT = new Intl.NumberFormat('en');

/** `14:05`. */
export const formatTime = (at: string): string => formatWith(TIME, at);

/** `4 Mar 2026, 14:05:31`. */
export const formatDateTime = (at: string): string => formatWith(DATE_TIME, at);

function formatWith(format: Intl.DateTimeFormat, at: string): string {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? '' : format.format(ms);
}

/** `12,400`. */
export const formatCount = (count: number): string => COUNT.format(count);

/** `$0.0042`, `$0.31`, `$12.40`. */
export const formatCost = (usd: number): string => {
  if (usd === 0) return '$0';
  if (usd < 0.01) return `$${usd.toPrecision(2)}`;
  return `$${usd.toFixed(2)}`;
};

/** `840`, `12.4k`, `1.2M`. */
export const formatTokens = (count: number): string => {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${(count / 1000).toFixed(count < 99_950 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
};

/** `1 file`, `3 files`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
