/** Sizes and times for people. */
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `812 B`, `1.5 KB`, `34 MB`; 1 KB is 1024 B. */
export const byteWords = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(unit > 0 && value < 10 ? 1 : 0)} ${UNITS[unit] ?? 'B'}`;
};

/** How long saved versions are kept, after a session's last use. */
export const daysWords = (days: number | 'forever'): string => {
  if (days === 'forever') return 'forever';
  return `${Number(days.toFixed(2))} ${days === 1 ? 'day' : 'days'} after the last use of a session`;
};
