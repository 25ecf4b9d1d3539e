/**
 * `journals/<strand>.open`: this strand may have a write or a restore under way. On disk before the first journal line
 * of a turn or restore, gone after its end; so a start of the bridge finds what a crash left without reading journals.
 */
import { join } from 'node:path';
import { recordIdSchema, type StrandId, strandIdSchema, type TurnId } from '@skein/core/record/ids';
import { z } from 'zod';
import { listDir, makePrivateDir, readFileIfThere, writeFileAtomic } from '../platform/files.ts';
import { removeIfThere } from '../platform/tree-files-append.ts';
import { journalsDir, type StoreContext } from './deps.ts';

const SUFFIX = '.open';

/** `turn`: whose writes are under way; null for a restore. */
const markerSchema = z.object({ turn: recordIdSchema.nullable(), at: z.string() });
export type Marker = z.infer<typeof markerSchema>;

const markerFile = (deps: StoreContext, strand: StrandId): string =>
  join(journalsDir(deps), `${strand}${SUFFIX}`);

/** Durable when it resolves. Fault `io`. */
export const markOpen = async (deps: StoreContext, strand: StrandId, turn: TurnId | null): Promise<void> => {
  await makePrivateDir(journalsDir(deps));
  const marker: Marker = { turn, at: deps.clock.nowIso() };
  await writeFileAtomic(markerFile(deps, strand), `${JSON.stringify(marker)}\n`);
};

export const unmark = async (deps: StoreContext, strand: StrandId): Promise<void> =>
  removeIfThere(markerFile(deps, strand));

/** Null when there is none. One that cannot be read says only that there was something. */
export const readMarker = async (deps: StoreContext, strand: StrandId): Promise<Marker | null> => {
  const bytes = await readFileIfThere(markerFile(deps, strand));
  if (bytes === null) return null;
  const marker = markerSchema.safeParse(parseJson(Buffer.from(bytes).toString('utf8')));
  return marker.success ? marker.data : { turn: null, at: '' };
};

export const markedStrands = async (deps: StoreContext): Promise<readonly StrandId[]> => {
  const names = (await listDir(journalsDir(deps))).flatMap(({ name }) => (name === null ? [] : [name]));
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => strandIdSchema.safeParse(name.slice(0, -SUFFIX.length)))
    .flatMap((parsed) => (parsed.success ? [parsed.data] : []));
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
