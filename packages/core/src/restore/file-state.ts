/** The state of one path on disk, as journals, plans and previews speak of it. */
import { z } from 'zod';
import { sha256Schema } from '../record/ids.ts';

export const fileStateSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('absent') }),
  /** `mode` holds the permission bits (0o7777). */
  z.object({
    type: z.literal('file'),
    sha256: sha256Schema,
    bytes: z.number().int().nonnegative(),
    mode: z.number().int().nonnegative(),
  }),
  z.object({ type: z.literal('link'), target: z.string() }),
  z.object({ type: z.literal('dir'), mode: z.number().int().nonnegative(), empty: z.boolean() }),
  /** FIFO, socket, device, or something that could not be read (`reason`). Never restored over. */
  z.object({ type: z.literal('other'), reason: z.string() }),
]);
export type FileState = z.infer<typeof fileStateSchema>;

/** Same bytes and mode, same link target, or both absent. Folders and unreadable things are never the same. */
export const sameFileState = (a: FileState, b: FileState): boolean => {
  if (a.type === 'file' && b.type === 'file') return a.sha256 === b.sha256 && a.mode === b.mode;
  if (a.type === 'link' && b.type === 'link') return a.target === b.target;
  return a.type === b.type && a.type === 'absent';
};
