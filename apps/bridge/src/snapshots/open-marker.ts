/**
 * `journals/<strand>.open`: this strand may have a write or a restore under way. On disk before the first journal line
 * of a turn or restore, gone after its end; so a start of the bridge finds what a crash left without reading journals.
 */
import { join } from 'node:path';
import { type StrandId, strandIdSchema } from '@skein/core/record/ids';
import { listDir, makePrivateDir, statIfThere, writeFileAtomic } from '../platform/files.ts';
import { removeIfThere } from '../platform/tree-files-append.ts';
import { journalsDir, type StoreContext } from './deps.ts';

const SUFFIX = '.open';

const markerFile = (deps: StoreContext, strand: StrandId): string =>
  join(journalsDir(deps), `${strand}${SUFFIX}`);

/** Durable when it resolves. Fault `io`. */
export const markOpen = async (deps: StoreContext, strand: StrandId, root: string): Promise<void> => {
  await makePrivateDir(journalsDir(deps));
  await writeFileAtomic(markerFile(deps, strand), `${JSON.stringify({ root, at: deps.clock.nowIso() })}\n`);
};

export const unmark = async (deps: StoreContext, strand: StrandId): Promise<void> =>
  removeIfThere(markerFile(deps, strand));

export const isMarked = async (deps: StoreContext, strand: StrandId): Promise<boolean> =>
  (await statIfThere(markerFile(deps, strand))) !== null;

export const markedStrands = async (deps: StoreContext): Promise<readonly StrandId[]> => {
  const names = (await listDir(journalsDir(deps))).flatMap(({ name }) => (name === null ? [] : [name]));
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => strandIdSchema.safeParse(name.slice(0, -SUFFIX.length)))
    .flatMap((parsed) => (parsed.success ? [parsed.data] : []));
};
