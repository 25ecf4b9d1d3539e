/** Names of strand files and how they are found. A strand's id is in its name, so that no file is opened to find it. */
import { basename, dirname, join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import { realPathOfFuture, slugOf } from '../platform/paths.ts';
import { type ScannedEntry, scanDir } from '../platform/scan-dir.ts';

export interface StrandFile extends ScannedEntry {
  readonly id: StrandId;
}

const FILE_NAME = /^\d{8}-\d{6}_([0-9a-f]{12})\.jsonl$/;
const AGENTS_NAME = /^\d{8}-\d{6}_[0-9a-f]{12}-agents$/;

/** The id in a file name, null when it is no strand's. */
export const idInName = (name: string): StrandId | null => (FILE_NAME.exec(name)?.[1] as StrandId) ?? null;

/** `at` is ISO 8601 UTC: `20260131-235959_<id>.jsonl`. */
export const strandFileName = (at: string, id: StrandId): string =>
  `${at.slice(0, 19).replaceAll('-', '').replaceAll(':', '').replace('T', '-')}_${id}.jsonl`;

/** The folder of all strands of a working directory; a linked one has its target's. */
export const folderOfCwd = async (strands: string, cwd: string): Promise<string> =>
  join(strands, slugOf(await realPathOfFuture(cwd)));

/** Where the sub-agents of a strand lie. */
export const agentsFolder = (strandFile: string): string =>
  join(dirname(strandFile), `${basename(strandFile, '.jsonl')}-agents`);

export interface StrandScan {
  /** Sessions, without their sub-agents. */
  readonly strands: readonly StrandFile[];
  readonly subagents: readonly StrandFile[];
  /** Every folder that may hold strands, for watching. */
  readonly folders: readonly string[];
}

/** Looks at every folder under `strands/`. Files without a byte are left out: a crash came before their header. */
export const scanStrands = async (strandsDir: string): Promise<StrandScan> => {
  const scan = { strands: [] as StrandFile[], subagents: [] as StrandFile[], folders: [strandsDir] };
  for (const slug of await scanDir(strandsDir)) {
    if (slug.kind === 'dir') await scanFolder(slug.path, { ...scan, into: scan.strands });
  }
  return scan;
};

interface ScanStep {
  readonly into: StrandFile[];
  readonly subagents: StrandFile[];
  readonly folders: string[];
}

const scanFolder = async (path: string, step: ScanStep): Promise<void> => {
  step.folders.push(path);
  for (const entry of await scanDir(path)) {
    if (entry.kind === 'dir' && AGENTS_NAME.test(entry.name)) {
      await scanFolder(entry.path, { ...step, into: step.subagents });
    }
    const id = entry.kind === 'file' && entry.size > 0 ? idInName(entry.name) : null;
    if (id !== null) step.into.push({ ...entry, id });
  }
};
