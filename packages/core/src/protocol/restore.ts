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

/** What becomes of a path in conflict: what lies on disk, what the restore would bring, or both with markers. */
export const conflictChoiceSchema = z.enum(['mine', 'before', 'markers']);
export type ConflictChoice = z.infer<typeof conflictChoiceSchema>;

export const restoreRequestSchema = z.object({
  strand: strandIdSchema,
  direction: z.enum(['undo', 'redo']),
  scope: restoreScopeSchema.default('both'),
  /** Undo: this turn instead of the newest (files only, issue-wide rule). */
  turn: recordIdSchema.optional(),
  /** Undo: everything after the end of this turn, so that files are as it left them (files only). */
  to: recordIdSchema.optional(),
  /** Redo: this operation instead of the newest undo. */
  op: opIdSchema.optional(),
  /** Only these paths (files only). An unattributed path is looked at only when it is named here. */
  paths: z.array(pathRefSchema).min(1).optional(),
  /** Only these hunks of a preview's files (files only); with `paths`: those paths whole, and these hunks. */
  hunks: z.array(z.string()).min(1).optional(),
  /** For paths in conflict. */
  choices: z.array(z.object({ path: pathRefSchema, choice: conflictChoiceSchema })).optional(),
});
export type RestoreRequest = z.infer<typeof restoreRequestSchema>;

/**
 * One stretch of lines that differs between what is on disk and what the restore leaves; 1-based, `lines` may be 0.
 * `id` holds as long as the path and both texts are the same, and is unique in a result.
 */
export const restoreHunkSchema = z.object({
  id: z.string(),
  nowStart: z.number().int(),
  nowLines: z.number().int(),
  thenStart: z.number().int(),
  thenLines: z.number().int(),
});
export type RestoreHunk = z.infer<typeof restoreHunkSchema>;

export const restoreFileSchema = z.object({
  path: pathRefSchema,
  action: restoreActionSchema,
  /** Of text that is written over other text; empty for whole files (created, deleted, binary, links, modes). */
  hunks: z.array(restoreHunkSchema),
  /** Later turns of this session, not undone, that changed the same path. */
  laterTurns: z.array(recordIdSchema),
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
      /** On disk, what the restore would bring, and what the turn left; null where absent, binary or too long. */
      now: z.string().nullable(),
      then: z.string().nullable(),
      base: z.string().nullable(),
      /** The merge with markers; null where there is none to make. */
      markers: z.string().nullable(),
      /** What the user may choose; empty where nothing can be done here (a link in the way). */
      choices: z.array(conflictChoiceSchema),
    }),
  ),
  /** Changed while the turn ran by nobody that is known; taken back only when named in `paths`. */
  unattributed: z.array(pathRefSchema),
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

/** One undo or redo that was carried out, newest first in a list. */
export const operationSchema = z.object({
  op: opIdSchema,
  at: z.string(),
  direction: restoreDirectionSchema,
  scope: restoreScopeSchema,
  /** Whose work it took back or brought back. */
  turns: z.array(recordIdSchema),
  files: z.array(z.object({ path: pathRefSchema, action: restoreActionSchema })),
  /** What `redo --op` would still bring; null when it was redone, or is itself a redo. */
  left: restoreScopeSchema.nullable(),
});
export type Operation = z.infer<typeof operationSchema>;
export const operationsOutputSchema = z.object({ operations: z.array(operationSchema) });

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

/** A file as it was at a record of a session. */
export const fileAtInputSchema = z.object({ strand: strandIdSchema, path: z.string(), at: recordIdSchema });
export const fileAtOutputSchema = z.object({
  path: pathRefSchema,
  /** `absent`: there was no file. */
  type: z.enum(['file', 'link', 'absent']),
  /** The content, or where the link leads. */
  b64: z.string(),
  mode: z.number().int().nullable(),
  /** `disk`: the session never changed it, so this is what lies there now. */
  from: z.enum(['journal', 'disk']),
});
export type FileAt = z.infer<typeof fileAtOutputSchema>;

/** A restore that a crash interrupted and the bridge settled on its next start. */
export const recoveryReportSchema = z.object({
  strand: strandIdSchema,
  op: opIdSchema,
  direction: restoreDirectionSchema,
  done: z.array(pathRefSchema),
  left: z.array(pathRefSchema),
});
export type RecoveryReport = z.infer<typeof recoveryReportSchema>;
