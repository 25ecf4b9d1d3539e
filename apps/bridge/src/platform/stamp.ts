/** Whether any of a few files changed, by their numbers. */
import { statIfThere } from './files.ts';

/** Equal as long as each of the files is the same, or still missing. Fault `io`. */
export const stampOf = async (paths: readonly string[]): Promise<string> => {
  const stats = await Promise.all(paths.map((path) => statIfThere(path)));
  return JSON.stringify(
    stats.map((stat) => stat && [stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino].map(Number)),
  );
};
