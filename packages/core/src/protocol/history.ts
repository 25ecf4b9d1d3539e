/**
 * Schemas of the `history` router: sessions that other agents wrote, found where those agents keep them. They
 * have ids like strands and are read like strands (`strands.window`, `events.strand`), but never written to.
 */
import { z } from 'zod';
import { foreignAgentSchema } from '../record/foreign-agent.ts';
import { recordIdSchema, strandIdSchema } from '../record/ids.ts';

/** One session of another agent. Texts and paths come from its file: show them, trust nothing in them. */
export const foreignSessionSchema = z.object({
  id: strandIdSchema,
  agent: foreignAgentSchema,
  /** The file it is read from; for a database, the database. */
  path: z.string(),
  /** The tool's title, else the first prompt, at most 80 characters; may be empty. */
  title: z.string(),
  cwd: z.string().nullable(),
  startedAt: z.string().nullable(),
  updatedAt: z.string(),
  prompts: z.number().int().nonnegative(),
  messages: z.number().int().nonnegative(),
  /** The last one that answered. */
  model: z.string().nullable(),
  /** Null where the files do not say. */
  tokens: z.object({ input: z.number().nonnegative(), output: z.number().nonnegative() }).nullable(),
  /** US dollars, as the tool wrote them; null where it did not. */
  cost: z.number().nonnegative().nullable(),
  sizeBytes: z.number().int().nonnegative(),
  /** The session that started this one as a sub-agent. It need not be in the list. */
  parent: strandIdSchema.nullable(),
  /** Lines that could not be read, and records of kinds that are not known. */
  problems: z.number().int().nonnegative(),
  unknown: z.number().int().nonnegative(),
  /** A copy is kept in the vault. */
  kept: z.boolean(),
  /** Its file is gone from the tool's folder: it is read from the vault. */
  gone: z.boolean(),
});
export type ForeignSession = z.infer<typeof foreignSessionSchema>;

export const historyListInputSchema = z.object({
  agent: foreignAgentSchema.optional(),
  /** Sessions of this folder and of folders in it. */
  cwd: z.string().optional(),
  /** Part of the title, the folder or the path. */
  text: z.string().max(200).optional(),
  /** Only those whose file is gone. */
  gone: z.boolean().optional(),
  limit: z.number().int().min(1).max(1000).default(200),
  after: strandIdSchema.optional(),
});
/** Newest first. `agents` counts all that are known, whatever the filter. */
export const historyListOutputSchema = z.object({
  items: z.array(foreignSessionSchema),
  next: strandIdSchema.nullable(),
  total: z.number().int(),
  agents: z.array(z.object({ agent: foreignAgentSchema, sessions: z.number().int() })),
  /** Files or folders that could not be looked at, in words. */
  notices: z.array(z.string()),
});
export type HistoryList = z.infer<typeof historyListOutputSchema>;

export const historySessionInputSchema = z.object({ session: strandIdSchema });
/** One session with what was wrong in its file; at most 100 problems are told one by one. */
export const historyDetailSchema = z.object({
  session: foreignSessionSchema,
  problems: z.array(z.object({ line: z.number().int().positive(), reason: z.string() })),
});
export type HistoryDetail = z.infer<typeof historyDetailSchema>;

/** Answers the summary of the new strand; its `header.origin` names the session, via `import`. */
export const historyContinueInputSchema = z.object({
  session: strandIdSchema,
  /** Who goes on; absent: the agent of the settings. */
  agent: z.string().optional(),
  model: z.string().optional(),
  mode: z.enum(['ask', 'edits', 'plan', 'auto']).optional(),
  /** Absent: the session's own folder, which must still be there. */
  cwd: z.string().optional(),
  /** The last record that is taken over; absent: the end. */
  at: recordIdSchema.optional(),
});

export const historyPlaceSchema = z.object({
  agent: foreignAgentSchema,
  dir: z.string(),
  /** `found`: where the tool keeps them by itself; `added`: named by the user. */
  from: z.enum(['found', 'added']),
  exists: z.boolean(),
  sessions: z.number().int().nonnegative(),
});
export const historyPlacesSchema = z.object({ places: z.array(historyPlaceSchema) });
export type HistoryPlaces = z.infer<typeof historyPlacesSchema>;
export const historyPlaceInputSchema = z.object({ agent: foreignAgentSchema, dir: z.string().min(1) });

export const vaultStatusSchema = z.object({
  on: z.boolean(),
  sessions: z.number().int().nonnegative(),
  /** Kept sessions whose file is gone from the tool's folder. */
  gone: z.number().int().nonnegative(),
  /** Bytes of the kept files, and what they take in the vault. */
  rawBytes: z.number().int().nonnegative(),
  storedBytes: z.number().int().nonnegative(),
  /** Kept files whose bytes no longer fit their hashes. */
  damaged: z.number().int().nonnegative(),
});
export type VaultStatus = z.infer<typeof vaultStatusSchema>;
export const vaultSetInputSchema = z.object({ on: z.boolean() });
/** `to`: another place; absent: where the tool had it. Nothing is ever written over. */
export const vaultRestoreInputSchema = z.object({ session: strandIdSchema, to: z.string().optional() });
export const vaultRestoreOutputSchema = z.object({ path: z.string(), bytes: z.number().int().nonnegative() });
