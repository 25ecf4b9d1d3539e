/**
 * Paths as they travel: relative to the workspace root, `/`-separated. A name that is not UTF-8
 * travels as its bytes in base64, so that it is never confused with another file (TRAPS V8).
 */
import { z } from 'zod';

export const pathRefSchema = z.union([z.string(), z.object({ b64: z.string() })]);
export type PathRef = z.infer<typeof pathRefSchema>;

/** A string that is equal for equal paths; for map keys and sorting, never for opening files. */
export const pathKey = (path: PathRef): string => (typeof path === 'string' ? path : `\0b64:${path.b64}`);

/** What a person reads. Bytes that are not UTF-8 are shown as their base64. */
export const showPath = (path: PathRef): string => (typeof path === 'string' ? path : `(bytes ${path.b64})`);
