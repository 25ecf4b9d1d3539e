/** Schemas of the `store` router: what snapshots cost on disk, and giving it back. */
import { z } from 'zod';

/** Bytes of everything that lies on disk for it, as the file system counts file lengths. */
const bytes = z.number().int().nonnegative();

export const storeUsageSchema = z.object({
  stores: z.array(
    z.object({
      /** Names the store in `purge`. */
      key: z.string(),
      /** The folder or repository it keeps; null when that cannot be told any more. */
      workspace: z.string().nullable(),
      kind: z.enum(['git', 'folder']),
      bytes,
      /** Turns that can be undone from it. */
      turns: z.number().int().nonnegative(),
      lastUsedAt: z.string().nullable(),
      /** The folder is not there any more. */
      gone: z.boolean(),
    }),
  ),
  /** Versions that the write gate saved, shared by all workspaces; and the turn journals. */
  blobs: bytes,
  journals: bytes,
  trash: bytes,
  total: bytes,
  /** Limits in force: days since a session's last use, bytes per store. */
  retentionDays: z.union([z.number().positive(), z.literal('forever')]),
  maxBytes: bytes,
});
export type StoreUsage = z.infer<typeof storeUsageSchema>;

/**
 * What was given back. `expired`: turns that can no longer be undone; `inUse`: sessions that were left alone because
 * somebody is at work in them.
 */
export const storeCleanupSchema = z.object({
  freed: bytes,
  expired: z.number().int().nonnegative(),
  inUse: z.number().int().nonnegative().optional(),
});
export type StoreCleanup = z.infer<typeof storeCleanupSchema>;

/** Without `key`: everything that no running turn needs. Nothing of it can be undone afterwards. */
export const storePurgeInputSchema = z.object({ key: z.string().optional() });
