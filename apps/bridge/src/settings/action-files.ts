/**
 * `runtime/<scope>/sessions/`: one small file a session, for programs beside Skein. For looking at only: nothing of Skein
 * reads it back. A folder that does not say which bridge made it is somebody else's and is never touched.
 */
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import type { RuntimeActions } from '@skein/core/restore/runtime-actions';
import { z } from 'zod';
import { listDir, makePrivateDir, readFileIfThere, statIfThere, writeFileAtomic } from '../platform/files.ts';
import { isAlive, type ProcessIdentity } from '../platform/host.ts';
import { namesEndingIn, removeIfThere } from '../platform/secret-files.ts';
import { sha256Hex } from './secrets.ts';

export interface ActionFiles {
  /** Replaced as a whole. Fault `io`. */
  put(actions: RuntimeActions): Promise<void>;
  drop(strand: StrandId): Promise<void>;
  /** Removes all of ours. */
  close(): Promise<void>;
}

export type OpenedActionFiles =
  | { readonly kind: 'open'; readonly files: ActionFiles }
  /** Not ours to write: `reason` is for the log. */
  | { readonly kind: 'foreign'; readonly reason: string };

const MARKER = 'bridge.json';
const OURS = /^[0-9a-f]{64}$/;
const DAY_MS = 24 * 60 * 60 * 1000;

const markerSchema = z.object({
  host: z.string(),
  boot: z.string(),
  ns: z.string(),
  pid: z.number().int(),
  start: z.string().nullable(),
});
type Marker = z.infer<typeof markerSchema>;

/** Clears what a dead bridge left there first. Fault `io`. */
export const openActionFiles = async (options: {
  readonly runtimeDir: string;
  readonly process: ProcessIdentity;
  readonly nowMs: () => number;
}): Promise<OpenedActionFiles> => {
  const { host, boot, ns, pid, start } = options.process;
  const dir = join(options.runtimeDir, 'sessions');
  const marker = join(dir, MARKER);
  if ((await listDir(dir)).length > 0) {
    const found = await readMarker(marker);
    if (found === null) return { kind: 'foreign', reason: `This folder does not say whose it is: ${dir}` };
    if (!(await isDead(found, marker, options)))
      return { kind: 'foreign', reason: `Another bridge may still use this folder: ${dir}` };
    await clear(dir);
  }
  await makePrivateDir(dir);
  await writeFileAtomic(marker, `${JSON.stringify({ host, boot, ns, pid, start } satisfies Marker)}\n`);
  const fileOf = (strand: StrandId): string => join(dir, `${sha256Hex(strand)}.json`);
  const files: ActionFiles = {
    put: (actions) => writeFileAtomic(fileOf(actions.strand), `${JSON.stringify(actions)}\n`),
    drop: (strand) => removeIfThere(fileOf(strand)),
    async close() {
      const now = await readMarker(marker);
      if (now?.pid === pid && now.start === start) await clear(dir);
    },
  };
  return { kind: 'open', files };
};

/** The marker goes last: until then the rest is known to be of a bridge. */
const clear = async (dir: string): Promise<void> => {
  for (const name of await namesEndingIn(dir, '.json'))
    if (OURS.test(name)) await removeIfThere(join(dir, `${name}.json`));
  await removeIfThere(join(dir, MARKER));
};

const readMarker = async (path: string): Promise<Marker | null> => {
  const bytes = await readFileIfThere(path);
  if (bytes === null) return null;
  try {
    const parsed = markerSchema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/** Of another machine never; of another container, whose processes cannot be seen, after a day of silence. */
const isDead = async (
  found: Marker,
  path: string,
  { process: us, nowMs }: { readonly process: ProcessIdentity; readonly nowMs: () => number },
): Promise<boolean> => {
  if (found.host !== us.host) return false;
  if (found.boot !== us.boot) return true;
  if (found.ns === us.ns) return !isAlive(found.pid, found.start);
  const times = await Promise.all([path, join(path, '..')].map(statIfThere));
  return times.every((stat) => stat !== null && nowMs() - Number(stat.mtimeMs) > DAY_MS);
};
