/** Schemas of `files.at`, `files.versionAt` and `files.blame`: files as they were, and who wrote which line. */
import { z } from 'zod';
import { recordIdSchema, strandIdSchema } from '../record/ids.ts';
import { pathRefSchema } from '../record/path-ref.ts';

export const filesAtInputSchema = z.object({ strand: strandIdSchema, at: recordIdSchema });
/** Files that the session had changed up to the record. `held: false`: nothing is kept, `why` is one sentence. */
export const filesAtOutputSchema = z.discriminatedUnion('held', [
  z.object({
    held: z.literal(true),
    /** The turn that the record belongs to; null before the first one. */
    turn: recordIdSchema.nullable(),
    files: z.array(
      z.object({
        path: pathRefSchema,
        /** Against the start of the session. */
        status: z.enum(['added', 'modified', 'deleted', 'mode', 'type']),
        /** The last turn up to the record that changed it. */
        turn: recordIdSchema,
      }),
    ),
  }),
  z.object({ held: z.literal(false), why: z.string() }),
]);
export type FilesAt = z.infer<typeof filesAtOutputSchema>;

export const versionAtInputSchema = filesAtInputSchema.extend({ path: z.string().min(1) });
/** Texts are null where there was no file, or it is binary or longer than 2 MiB. */
export const versionAtOutputSchema = z.discriminatedUnion('held', [
  z.object({
    held: z.literal(true),
    path: pathRefSchema,
    type: z.enum(['file', 'link', 'absent']),
    binary: z.boolean(),
    /** As it was at the record, and as it lies on disk. */
    was: z.string().nullable(),
    now: z.string().nullable(),
    nowType: z.enum(['file', 'link', 'absent']),
    same: z.boolean(),
  }),
  z.object({ held: z.literal(false), why: z.string() }),
]);
export type VersionAt = z.infer<typeof versionAtOutputSchema>;

/** An absolute path of a text file. */
export const blameInputSchema = z.object({ path: z.string().min(1) });
export const blameOutputSchema = z.object({
  path: z.string(),
  /** Turns that wrote at least one of the lines. */
  turns: z.array(
    z.object({
      strand: strandIdSchema,
      turn: recordIdSchema,
      /** 1-based on the session's path; null when the turn was left behind. */
      number: z.number().int().positive().nullable(),
      /** First line of the prompt, at most 80 characters. */
      prompt: z.string(),
      agent: z.string(),
      at: z.string(),
    }),
  ),
  /** In file order. `by`: an index into `turns`; null: the user, or anything outside of a turn. */
  lines: z.array(z.object({ text: z.string(), by: z.number().int().nonnegative().nullable() })),
});
export type Blame = z.infer<typeof blameOutputSchema>;
