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
    by: z.enum(['gate', 'shell']),
  }),
  z.object({
    ...envelope,
    kind: z.literal('intent'),
    op: opIdSchema,
    direction: restoreDirectionSchema,
    scope: restoreScopeSchema,
    undoes: z.union([z.object({ turns: z.array(recordIdSchema) }), z.object({ op: opIdSchema })]),
    to: recordIdSchema.nullable(),
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
]);
export type JournalEntry = z.infer<typeof journalEntrySchema>;
export type MutationEntry = Extract<JournalEntry, { kind: 'mutation' }>;
export type IntentEntry = Extract<JournalEntry, { kind: 'intent' }>;
