/** A new strand: its file, its header on disk, open for writing. */
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import { encodeLine } from '@skein/core/record/line';
import type { RecordBody, RecordOf } from '@skein/core/record/schema';
import { makePrivateDir } from '../platform/files.ts';
import { newRecordId, newStrandId } from '../platform/ids.ts';
import { abandon, createEmpty, type OpenDeps } from './open-strand.ts';
import { agentsFolder, folderOfCwd, strandFileName } from './strand-files.ts';
import type { OpenStrand } from './writer.ts';

export type NewHeader = Omit<RecordOf<'header'>, 'id' | 'parent' | 'at' | 'strand'>;

const MAX_HEADER_BYTES = 4095;

/**
 * Sub-agent strands lie beside their parent's file (`parentFile`, null when it is gone). Resolves when file, name and
 * header are on disk. Fault `io`; then no file stays behind.
 */
export const createStrand = async (
  deps: OpenDeps,
  header: NewHeader,
  parentFile: string | null,
): Promise<OpenStrand> => {
  const id = newStrandId();
  const at = deps.clock.nowIso();
  const isSubagent = header.origin?.via === 'subagent' && parentFile !== null;
  const folder = isSubagent ? agentsFolder(parentFile) : await folderOfCwd(deps.dirs.strands, header.cwd);
  await makePrivateDir(folder);
  const writer = await createEmpty(deps, { id, file: join(folder, strandFileName(at, id)) });
  try {
    await writer.append([fitHeader({ ...header, strand: id }, at)], { durable: true });
  } catch (error) {
    await abandon(writer);
    throw error;
  }
  deps.onOpened(writer);
  return writer;
};

/** Drops dirty paths until the line is under 4 KiB: what a list reads of each file stays small. */
const fitHeader = (
  header: Extract<RecordBody, { kind: 'header' }> & { readonly strand: StrandId },
  at: string,
): RecordBody => {
  let { repo } = header;
  const length = (): number => encodeLine({ id: newRecordId(), parent: null, at, ...header, repo }).length;
  while (repo !== null && repo.dirty.length > 0 && length() > MAX_HEADER_BYTES) {
    repo = { ...repo, dirty: repo.dirty.slice(0, Math.floor(repo.dirty.length / 2)) };
  }
  return { ...header, repo };
};
