/**
 * The rows of foreign sessions by file, kept in a disposable file so that a second start reads nothing twice. A file
 * that no longer fits, or of another version, is as good as none.
 */
import { dirname } from 'node:path';
import { type ForeignSession, foreignSessionSchema } from '@skein/core/protocol/history';
import { z } from 'zod';
import { makePrivateDir, readFileIfThere, writeFileAtomic } from '../platform/files.ts';

/** Raise it when a row means something else. */
const CATALOGUE_VERSION = 1;

const rowSchema = z.object({
  size: z.number(),
  mtimeMs: z.number(),
  ino: z.number(),
  /** Version of the reader that read it. */
  reader: z.number(),
  /** Null: the file holds no session. */
  session: foreignSessionSchema.nullable(),
});
export interface CatalogueRow {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly reader: number;
  readonly session: ForeignSession | null;
}
const fileSchema = z.object({ v: z.literal(CATALOGUE_VERSION), rows: z.record(z.string(), rowSchema) });

/** Rows by path. Fault `io` only when a file that is there cannot be read. */
export const loadCatalogue = async (path: string): Promise<Map<string, CatalogueRow>> => {
  const bytes = await readFileIfThere(path);
  const parsed = bytes === null ? null : fileSchema.safeParse(jsonOf(bytes));
  return new Map(parsed?.success === true ? Object.entries(parsed.data.rows) : []);
};

export const saveCatalogue = async (path: string, rows: ReadonlyMap<string, CatalogueRow>): Promise<void> => {
  await makePrivateDir(dirname(path));
  await writeFileAtomic(path, JSON.stringify({ v: CATALOGUE_VERSION, rows: Object.fromEntries(rows) }));
};

const jsonOf = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};
