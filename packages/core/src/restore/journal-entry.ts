/**
 * Lines of `snapshots/journals/<strand>.jsonl`: what each gated write found and left, and the intents of
 * restores. Every line carries `sum` like a strand record. Blobs it names are on disk before the line is.
 */
import { z } from 'zod';
import { opIdSchema, recordIdSchema } from '../record/ids.ts';
import { pathRefSchema } from '../record/path-ref.ts';
import { restoreActionSchema, restoreDirectionSchema, restoreScopeSchema } from '../record/schema.ts';
import { fileStateSchema } from './file-state.ts';

const envelope = { id: recordIdSchema, at: z.string() };

export const journalEntrySchema = z.discriminatedUnion('kind', [
  /** One gated write (or a path bash was told to checkpoint): written before the file is. */
  z.object({
    ...envelope,
    kind: z.literal('mutation'),
    turn: recordIdSchema,
    call: z.string(),
    path: pathRefSchema,
    pre: fileStateSchema,
    post: fileStateSchema,
    /** Folders the write creates, outermost first. */
    madeDirs: z.array(pathRefSchema),
    /** Name of the temp file beside the target, to be swept after a crash. */
    temp: z.string().nullable(),
    /** `unattributed`: seen to change while the turn ran, by nobody that is known. */
    by: z.enum(['gate', 'shell', 'unattributed']),
    /**
     * Found only at the turn's end, but it happened before the first gated write of the path: it stands in front of the
     * path's other lines.
     */
    first: z.boolean().optional(),
    /** Where the contents lie when they are not in `blobs/`: objects of a tree store, by the store's key. */
    trees: z
      .object({ store: z.string(), pre: z.string().nullable(), post: z.string().nullable() })
      .optional(),
  }),
  z.object({
    ...envelope,
    kind: z.literal('intent'),
    op: opIdSchema,
    direction: restoreDirectionSchema,
    scope: restoreScopeSchema,
    undoes: z.union([z.object({ turns: z.array(recordIdSchema) }), z.object({ op: opIdSchema })]),
    to: recordIdSchema.nullable(),
    /** Chosen paths or hunks only: the turns are not undone as a whole. */
    partial: z.boolean().optional(),
    steps: z.array(
      z.object({
        path: pathRefSchema,
        action: restoreActionSchema,
        ours: fileStateSchema,
        result: fileStateSchema,
        madeDirs: z.array(pathRefSchema),
        dropDirs: z.array(pathRefSchema),
        temp: z.string().nullable(),
      }),
    ),
  }),
  /** The intent is closed: carried out (the strand holds its `restore` record) or given up. */
  z.object({
    ...envelope,
    kind: z.literal('settled'),
    op: opIdSchema,
    outcome: z.enum(['done', 'recovered', 'abandoned']),
    left: z.array(pathRefSchema),
  }),
  /**
   * What an upkeep took out of this journal, so that "its versions were removed" is told apart from "never heard of it".
   * Lines of the same reason are joined by the next upkeep; `days` is null where age was not the reason.
   */
  z.object({
    ...envelope,
    kind: z.literal('expired'),
    turns: z.array(recordIdSchema),
    ops: z.array(opIdSchema),
    reason: z.enum(['age', 'size', 'space', 'purged']),
    days: z.number().positive().nullable(),
  }),
]);
export type JournalEntry = z.infer<typeof journalEntrySchema>;
export type MutationEntry = Extract<JournalEntry, { kind: 'mutation' }>;
export type ExpiredEntry = Extract<JournalEntry, { kind: 'expired' }>;
export type IntentEntry = Extract<JournalEntry, { kind: 'intent' }>;
