/** Schemas of the `search` router: words looked for in every session, our own and those of other agents. */
import { z } from 'zod';
import { recordIdSchema, strandIdSchema } from '../record/ids.ts';

export const searchInputSchema = z.object({
  /** See docs/guide/search.md. Every text means something. */
  query: z.string().max(4000),
  /** Sessions that are answered. */
  limit: z.number().int().min(1).max(200).default(30),
});

export const searchHitSchema = z.object({
  record: recordIdSchema,
  /** The prompt of its turn; null before the first. */
  turn: recordIdSchema.nullable(),
  at: z.string(),
  role: z.enum(['prompt', 'answer', 'tool', 'note', 'summary', 'name', 'turn']),
  snippet: z.string(),
  /** Pairs of UTF-16 offsets into `snippet`. */
  marks: z.array(z.tuple([z.number().int(), z.number().int()])),
  score: z.number(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

export const searchGroupSchema = z.object({
  strand: strandIdSchema,
  agent: z.string(),
  title: z.string(),
  cwd: z.string().nullable(),
  updatedAt: z.string(),
  /** The best ones, at most three. */
  hits: z.array(searchHitSchema),
  /** All hits of the session among those that were looked at. */
  count: z.number().int(),
});

export const searchOutputSchema = z.object({
  /** Records that were found; `isAtLeast`: there may be more. */
  total: z.number().int(),
  isAtLeast: z.boolean(),
  groups: z.array(searchGroupSchema),
  facets: z.object({ agents: z.array(z.object({ agent: z.string(), count: z.number().int() })) }),
  /** What could not be meant, in words. */
  hints: z.array(z.string()),
  /** Null when everything that is known is indexed. */
  indexing: z.object({ done: z.number().int(), total: z.number().int() }).nullable(),
});
export type SearchOutput = z.infer<typeof searchOutputSchema>;
