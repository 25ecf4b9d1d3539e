/** Schemas of the `restore` router: what undo and redo would do, and doing it (DESIGN section 5). */
import { z } from 'zod';
import { opIdSchema, recordIdSchema, strandIdSchema } from '../record/ids.ts';
import { pathRefSchema } from '../record/path-ref.ts';
import { restoreActionSchema, restoreDirectionSchema, restoreScopeSchema } from '../record/schema.ts';

export const conflictReasonSchema = z.enum([
  'changed_since', // the file is not what the turn left
  'deleted_since',
  'type_changed',
  'created_since', // something is in the way of a file to bring back
  'folder_in_the_way',
  'link_in_the_way', // a parent folder became a link
  'unreadable',
]);
export type ConflictReason = z.infer<typeof conflictReasonSchema>;

export const restoreRequestSchema = z.object({
  strand: strandIdSchema,
  direction: z.enum(['undo', 'redo']),
  scope: restoreScopeSchema.default('both'),
  /** Undo: this turn instead of the newest (files only, issue-wide rule). */
  turn: recordIdSchema.optional(),
  /** Redo: this operation instead of the newest undo. */
  op: opIdSchema.optional(),
});
export type RestoreRequest = z.infer<typeof restoreRequestSchema>;

export const restoreFileSchema = z.object({
  path: pathRefSchema,
  action: restoreActionSchema,
  hunks: z.array(z.object({ id: z.string() })),
  /** Text before (on disk now) and after (what apply leaves); null where absent, binary or too long. */
  now: z.string().nullable(),
  then: z.string().nullable(),
  binary: z.boolean(),
});
/** The JSON of `skein undo` and `skein redo`, and of a preview in the page. */
export const restoreResultSchema = z.object({
  applied: z.boolean(),
  op: opIdSchema.optional(),
  plan: z.string(),
  direction: restoreDirectionSchema,
  turns: z.array(recordIdSchema),
  scope: restoreScopeSchema,
  files: z.array(restoreFileSchema),
  conflicts: z.array(
    z.object({
      path: pathRefSchema,
      reason: conflictReasonSchema,
      now: z.string().nullable(),
      then: z.string().nullable(),
    }),
  ),
  /** Paths of the turn that cannot be brought back, and why (a shell command's work, a lost blob). */
  unrestored: z.array(z.object({ path: pathRefSchema, reason: z.string() })),
  /** The prompt's text, for the composer, when the conversation moved back. */
  draft: z.string().optional(),
  /** One sentence on coverage, when the turn was not fully covered. */
  notice: z.string().optional(),
});
export type RestoreResult = z.infer<typeof restoreResultSchema>;

export const applyRequestSchema = restoreRequestSchema.extend({
  /** From the preview; absent: plan and apply at once. */
  plan: z.string().optional(),
});
export type ApplyRequest = z.infer<typeof applyRequestSchema>;

/** What a button may do now (requirements 120, 169). */
export const actionStateSchema = z.object({
  undo: z.object({ enabled: z.boolean(), reason: z.string().nullable(), turn: recordIdSchema.nullable() }),
  redo: z.object({ enabled: z.boolean(), reason: z.string().nullable(), op: opIdSchema.nullable() }),
});
export type ActionState = z.infer<typeof actionStateSchema>;

export const turnDiffInputSchema = z.object({ strand: strandIdSchema, turn: recordIdSchema.optional() });
/** Per file, before the turn and after it; absent turn: the whole session, first `pre` to last `post`. */
export const turnDiffOutputSchema = z.object({
  files: z.array(
    z.object({
      path: pathRefSchema,
      status: z.enum(['added', 'modified', 'deleted', 'mode', 'type']),
      added: z.number().int().nullable(),
      removed: z.number().int().nullable(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      binary: z.boolean(),
      modeBefore: z.number().int().nullable(),
      modeAfter: z.number().int().nullable(),
    }),
  ),
});
export type TurnDiff = z.infer<typeof turnDiffOutputSchema>;

/** A restore that a crash interrupted and the bridge settled on its next start. */
export const recoveryReportSchema = z.object({
  strand: strandIdSchema,
  op: opIdSchema,
  direction: restoreDirectionSchema,
  done: z.array(pathRefSchema),
  left: z.array(pathRefSchema),
});
export type RecoveryReport = z.infer<typeof recoveryReportSchema>;
