/**
 * Where each terminal last was, in `state/waypoints.json`: "undo" without a session means that one. CLI processes and
 * the bridge both write, so every change takes the file's lock.
 */

import { type StrandId, strandIdSchema } from '@skein/core/record/ids';
import { z } from 'zod';
import { readJsonIfThere, updateJsonFile } from '../platform/json-files.ts';

const waypointSchema = z.object({ strand: strandIdSchema, at: z.string() });
type Waypoint = z.infer<typeof waypointSchema>;

/** Terminals come and go: the oldest are forgotten. */
const MAX_TERMINALS = 200;

export interface Waypoints {
  /** Null for an unknown terminal: then the newest session of the folder counts. Faults: `unreadable`, `io`. */
  get(terminal: string): Promise<StrandId | null>;
  /** Faults: `busy`, `unreadable`, `io`. */
  set(terminal: string, strand: StrandId): Promise<void>;
}

export const createWaypoints = (options: {
  readonly path: string;
  readonly nowIso: () => string;
}): Waypoints => ({
  async get(terminal) {
    const waypoints = parse(await readJsonIfThere(options.path));
    return waypoints.find(([name]) => name === terminal)?.[1].strand ?? null;
  },
  async set(terminal, strand) {
    const entry: [string, Waypoint] = [terminal, { strand, at: options.nowIso() }];
    await updateJsonFile(options.path, (current) => {
      const others = parse(current).filter(([name]) => name !== terminal);
      const newest = others.sort(([, a], [, b]) => b.at.localeCompare(a.at)).slice(0, MAX_TERMINALS - 1);
      return Object.fromEntries([entry, ...newest]);
    });
  },
});

/** Entries that do not fit are left out: a waypoint is a convenience. */
const parse = (raw: unknown): [string, Waypoint][] => {
  if (typeof raw !== 'object' || raw === null) return [];
  return Object.entries(raw).flatMap(([name, value]): [string, Waypoint][] => {
    const parsed = waypointSchema.safeParse(value);
    return parsed.success ? [[name, parsed.data]] : [];
  });
};
