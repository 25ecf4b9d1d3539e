/** Schemas of the `strands` router: lists, windows of a transcript, settings of one strand. */
import { z } from 'zod';
import { recordIdSchema, strandIdSchema } from '../record/ids.ts';
import { pathRefSchema } from '../record/path-ref.ts';
import { coverageSchema, fileChangeSchema, turnOutcomeSchema, usageSchema } from '../record/schema.ts';

export const strandStateSchema = z.enum([
  'idle',
  'running',
  'waiting',
  'failed',
  'interrupted',
  'unreadable',
]);
export type StrandState = z.infer<typeof strandStateSchema>;

/** One row of the sidebar and of `skein strands`. */
export const strandSummarySchema = z.object({
  id: strandIdSchema,
  name: z.string().nullable(),
  /** First prompt, at most 80 characters, one line; empty before the first prompt. */
  title: z.string(),
  cwd: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  /** Permission mode that the session set itself. */
  mode: z.string().nullable(),
  turns: z.number().int().nonnegative(),
  messages: z.number().int().nonnegative(),
  /** US dollars over the whole file. */
  cost: z.number().nonnegative(),
  createdAt: z.string(),
  updatedAt: z.string(),
  state: strandStateSchema,
  archived: z.boolean(),
  pinned: z.boolean(),
  /** True when the newest turn of the path changed files. */
  changed: z.boolean(),
  /** Bad lines in the file. */
  bad: z.number().int().nonnegative(),
  readOnly: z.string().nullable(),
});
export type StrandSummary = z.infer<typeof strandSummarySchema>;

/** What the CLI and the page may call a strand by: see core/strand/selector. */
export const selectorInputSchema = z.object({
  selector: z.string().nullable(),
  cwd: z.string().nullable(),
  terminal: z.string().nullable(),
});

export const listInputSchema = z.object({
  cwd: z.string().optional(),
  agent: z.string().optional(),
  archived: z.boolean().optional(),
  changed: z.boolean().optional(),
  text: z.string().optional(),
  limit: z.number().int().min(1).max(1000).default(200),
  after: z.string().optional(),
});
export const listOutputSchema = z.object({
  items: z.array(strandSummarySchema),
  next: z.string().nullable(),
  total: z.number().int(),
});

export const createInputSchema = z.object({
  cwd: z.string(),
  agent: z.string(),
  model: z.string().optional(),
  mode: z.enum(['ask', 'edits', 'plan', 'auto']).optional(),
  name: z.string().optional(),
});

/** One line of the file: a record, a record of a kind we do not know, or a line that cannot be read. */
export const windowItemSchema = z.discriminatedUnion('kind', [
  /** `record` is the decoded JSON without `sum`; it fits `recordBodySchema`. */
  z.object({ kind: z.literal('record'), seq: z.number().int(), record: z.unknown() }),
  z.object({
    kind: z.literal('unknown'),
    seq: z.number().int(),
    id: recordIdSchema,
    parent: recordIdSchema.nullable(),
    at: z.string(),
    recordKind: z.string(),
  }),
  z.object({ kind: z.literal('bad'), seq: z.number().int(), reason: z.string(), bytes: z.number() }),
]);
export type WindowItem = z.infer<typeof windowItemSchema>;

/** A run of consecutive lines; `before` is where the next older window ends, null at the header. */
export const windowInputSchema = z.object({
  strand: strandIdSchema,
  /** Byte offset from an earlier answer's `before`; absent: the end of the file. */
  before: z.number().int().nonnegative().optional(),
  /** At least so many turns of the current path, unless the cap is reached. */
  turns: z.number().int().min(1).max(500).default(20),
});
export const windowOutputSchema = z.object({
  items: z.array(windowItemSchema),
  before: z.number().int().nonnegative().nullable(),
  /** `seq:recordId` of the last whole line; where a subscription goes on. */
  cursor: z.string(),
  /** Folded over the whole file by the bridge. */
  tip: recordIdSchema,
  summary: strandSummarySchema,
});
export type StrandWindow = z.infer<typeof windowOutputSchema>;

export const turnSummarySchema = z.object({
  turn: recordIdSchema,
  number: z.number().int().positive(),
  prompt: z.string(),
  at: z.string(),
  outcome: turnOutcomeSchema.nullable(),
  files: z.array(fileChangeSchema),
  coverage: coverageSchema.nullable(),
  undone: z.boolean(),
  usage: usageSchema.nullable(),
  cost: z.number().nonnegative(),
});
export type TurnSummary = z.infer<typeof turnSummarySchema>;

export const showInputSchema = z.object({ strand: strandIdSchema, context: z.boolean().default(false) });
export const showOutputSchema = z.object({
  strand: strandIdSchema,
  tip: recordIdSchema,
  settings: z.record(z.string(), z.json()),
  /** Messages on the path from the header to the tip (or the model's context), as records. */
  messages: z.array(z.unknown()),
  turns: z.array(turnSummarySchema),
  records: z.number().int(),
  bad: z.number().int(),
});
export const lintOutputSchema = z.object({
  ok: z.boolean(),
  records: z.number().int(),
  problems: z.array(z.object({ line: z.number().int(), problem: z.string() })),
});
export const spillInputSchema = z.object({
  strand: strandIdSchema,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  offset: z.number().int().nonnegative().default(0),
  limit: z.number().int().min(1).max(1_048_576).default(262_144),
});
export const spillOutputSchema = z.object({ b64: z.string(), bytes: z.number().int(), end: z.boolean() });
export const changedPathSchema = pathRefSchema;
