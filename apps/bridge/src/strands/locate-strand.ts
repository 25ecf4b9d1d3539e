/** Finds the file of a strand by its id. Remembers, but never answers with a file that is gone. */
import type { StrandId } from '@skein/core/record/ids';
import { scanFile } from '../platform/scan-dir.ts';
import { scanStrands } from './strand-files.ts';
import type { StrandLocation } from './types.ts';

export interface Locator {
  (id: StrandId): Promise<StrandLocation | null>;
  /** A file that was just made. */
  note(at: StrandLocation): void;
}

/** Fault `io` when the folder cannot be read. */
export const createLocator = (strands: string): Locator => {
  const files = new Map<StrandId, string>();
  const remembered = (id: StrandId): StrandLocation | null => {
    const file = files.get(id);
    return file !== undefined && scanFile(file)?.kind === 'file' ? { id, file } : null;
  };
  const locate = async (id: StrandId): Promise<StrandLocation | null> => {
    const found = remembered(id);
    if (found !== null) return found;
    const scan = await scanStrands(strands);
    files.clear();
    for (const file of [...scan.subagents, ...scan.strands]) files.set(file.id, file.path);
    return remembered(id);
  };
  return Object.assign(locate, { note: ({ id, file }: StrandLocation) => void files.set(id, file) });
};
