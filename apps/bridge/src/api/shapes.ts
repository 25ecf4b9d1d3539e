/** Small answers that only the API knows. */

import { strandIdSchema } from '@skein/core/record/ids';
import { z } from 'zod';

export const systemInfoSchema = z.object({
  version: z.string(),
  protocol: z.number(),
  dataDir: z.string(),
  pid: z.number(),
  platform: z.string(),
  home: z.string(),
  git: z.string().nullable(),
  startedAt: z.string(),
});
export type SystemInfo = z.infer<typeof systemInfoSchema>;

export const folderListingSchema = z.object({
  path: z.string(),
  parent: z.string().nullable(),
  folders: z.array(z.object({ name: z.string(), path: z.string(), git: z.boolean() })),
  /** Folders that already hold sessions, newest first. */
  recent: z.array(z.string()),
});
export type FolderListing = z.infer<typeof folderListingSchema>;

export const contextFileSchema = z.object({ path: z.string() });
export type ContextFile = z.infer<typeof contextFileSchema>;

export const editorTargetSchema = z.object({
  strand: strandIdSchema,
  /** Relative to the workspace root. */
  path: z.string(),
  line: z.number().int().positive().optional(),
});
export type EditorTarget = z.infer<typeof editorTargetSchema>;

export const demoStartSchema = z.object({
  strand: strandIdSchema,
  cwd: z.string(),
  prompts: z.array(z.string()),
});
export type DemoStart = z.infer<typeof demoStartSchema>;
