/** All files below a folder: one lstat an entry, no link followed, so no loop; what cannot be read is told, not thrown. */
import { isBridgeError } from '@skein/core/protocol/errors';
import { type ScannedEntry, scanDir } from './scan-dir.ts';

export interface Walk {
  readonly files: readonly ScannedEntry[];
  /** Folders that could not be read, in words. */
  readonly notices: readonly string[];
}

/** Folders deeper than `maxDepth` and files beyond `maxFiles` are left out, which a notice says. */
export const walkFiles = async (
  root: string,
  limits: {
    readonly maxDepth: number;
    readonly maxFiles: number;
    readonly wanted: (name: string) => boolean;
  },
): Promise<Walk> => {
  const files: ScannedEntry[] = [];
  const notices: string[] = [];
  const open: { path: string; depth: number }[] = [{ path: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, depth } = next;
    for (const entry of await entriesOf(path, notices)) {
      if (entry.kind === 'dir') {
        if (depth < limits.maxDepth) open.push({ path: entry.path, depth: depth + 1 });
        else notices.push(`Too deep, not looked at: ${entry.path}`);
      } else if (limits.wanted(entry.name)) files.push(entry);
    }
    if (files.length > limits.maxFiles) {
      notices.push(`More than ${limits.maxFiles} files, the rest is not looked at: ${root}`);
      break;
    }
  }
  return { files, notices };
};

const entriesOf = async (path: string, notices: string[]): Promise<readonly ScannedEntry[]> => {
  try {
    return await scanDir(path);
  } catch (error) {
    if (!isBridgeError(error)) throw error;
    notices.push(error.message);
    return [];
  }
};
