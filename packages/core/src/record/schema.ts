/**
 * The records of strand format 1 (DESIGN section 4). Types derive from these schemas; nothing else
 * defines what a record is. A change here changes the schema hash and needs a new golden strand.
 */
import { z } from 'zod';
import { opIdSchema, recordIdSchema, sha256Schema, strandIdSchema } from './ids.ts';
import { partSchema } from './parts.ts';
import { pathRefSchema } from './path-ref.ts';

export const STRAND_FORMAT_VERSION = 1;

/** ISO 8601 UTC with milliseconds; for display only, order is file order. */
export const atSchema = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const envelope = { id: recordIdSchema, parent: recordIdSchema.nullable(), at: atSchema };

export const originViaSchema = z.enum(['split', 'transfer', 'subagent', 'worktree', 'import']);

/** Tokens; `input` counts everything sent, cache reads and writes included. */
export const usageSchema = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
  reasoning: z.number().nonnegative().optional(),
});
export type Usage = z.infer<typeof usageSchema>;

export const headerBodySchema = z.object({
  kind: z.literal('header'),
  format: z.literal('skein'),
  v: z.number().int().positive(),
  strand: strandIdSchema,
  cwd: z.string(),
  versions: z.object({ skein: z.string(), node: z.string(), os: z.string() }),
  repo: z
    .object({
      root: z.string(),
      branch: z.string().nullable(),
      head: z.string().nullable(),
      dirty: z.array(pathRefSchema),
    })
    .nullable(),
  agent: z.string(),
  origin: z
    .object({
      strand: strandIdSchema,
      record: recordIdSchema.nullable(),
      via: originViaSchema,
      restored: z.array(pathRefSchema).optional(),
    })
    .nullable(),
});

export const messageBodySchema = z.object({
  kind: z.literal('message'),
  role: z.enum(['user', 'assistant', 'tool']),
  by: z.enum(['user', 'bridge', 'script', 'guest']).optional(),
  /** Said by the user while a turn was running. */
  steer: z.boolean().optional(),
  parts: z.array(partSchema),
  model: z.string().optional(),
  usage: usageSchema.optional(),
  /** US dollars. */
  cost: z.number().nonnegative().optional(),
  stop: z.enum(['end', 'tool', 'length', 'aborted', 'error']).optional(),
  error: z.string().optional(),
});

export const changeBodySchema = z.object({
  kind: z.literal('change'),
  setting: z.string(),
  value: z.json(),
  by: z.enum(['user', 'agent', 'config', 'system']),
});

export const digestBodySchema = z.object({
  kind: z.literal('digest'),
  summary: z.string(),
  keepFrom: recordIdSchema.nullable(),
  trigger: z.enum(['auto', 'overflow', 'user', 'transfer']),
  tokensBefore: z.number().nonnegative().optional(),
  tokensAfter: z.number().nonnegative().optional(),
});

export const boundaryBodySchema = z.object({ kind: z.literal('boundary') });
export const customBodySchema = z.object({ kind: z.literal('custom'), type: z.string(), data: z.json() });
export const tipBodySchema = z.object({
  kind: z.literal('tip'),
  to: recordIdSchema,
  reason: z.enum(['offshoot', 'rewind', 'go', 'redo']),
});

export const restoreScopeSchema = z.enum(['files', 'chat', 'both']);
export type RestoreScope = z.infer<typeof restoreScopeSchema>;
export const restoreDirectionSchema = z.enum(['undo', 'redo', 'restore']);
export type RestoreDirection = z.infer<typeof restoreDirectionSchema>;
export const restoreActionSchema = z.enum(['write', 'create', 'delete', 'merge', 'nothing']);

export const restoreBodySchema = z.object({
  kind: z.literal('restore'),
  op: opIdSchema,
  /** What it takes back: whole turns, or an earlier operation. */
  undoes: z.union([z.object({ turns: z.array(recordIdSchema) }), z.object({ op: opIdSchema })]),
  direction: restoreDirectionSchema,
  scope: restoreScopeSchema,
  files: z.array(
    z.object({
      path: pathRefSchema,
      action: restoreActionSchema,
      result: z.enum(['done', 'left', 'already']),
    }),
  ),
  /** Where the tip goes: conversation and files move in one record. */
  to: recordIdSchema.optional(),
  /** Chosen paths or hunks only: the turns it names are not undone as a whole. */
  partial: z.boolean().optional(),
});

export const fileChangeSchema = z.object({
  path: pathRefSchema,
  status: z.enum(['added', 'modified', 'deleted', 'mode', 'type']),
  /** Lines; null where the content is binary or not known. */
  added: z.number().int().nonnegative().nullable(),
  removed: z.number().int().nonnegative().nullable(),
  by: z.enum(['gate', 'shell', 'unattributed']),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

/** How much of a turn can be undone, and why not more (DESIGN section 5). */
export const coverageSchema = z.object({
  level: z.enum(['full', 'partial', 'none']),
  reasons: z.array(z.string()),
});
export type Coverage = z.infer<typeof coverageSchema>;

export const turnOutcomeSchema = z.enum(['done', 'aborted', 'failed', 'limit', 'interrupted']);
export type TurnOutcome = z.infer<typeof turnOutcomeSchema>;

export const turnBodySchema = z.object({
  kind: z.literal('turn'),
  prompt: recordIdSchema,
  outcome: turnOutcomeSchema,
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  files: z.array(fileChangeSchema),
  coverage: coverageSchema,
  /** Effects outside the workspace that cannot be undone, in words. */
  external: z.array(z.string()).optional(),
  check: z.object({ command: z.string(), passed: z.boolean() }).optional(),
  durationMs: z.number().nonnegative().optional(),
});

export const usageBodySchema = z.object({
  kind: z.literal('usage'),
  model: z.string(),
  usage: usageSchema,
  cost: z.number().nonnegative().optional(),
  source: z.string(),
});

export const decisionBodySchema = z.object({
  kind: z.literal('decision'),
  call: z.string(),
  tool: z.string(),
  allowed: z.boolean(),
  by: z.enum(['rule', 'hook', 'user', 'mode']),
  rule: z.string().optional(),
  reason: z.string().optional(),
});

export const nameBodySchema = z.object({ kind: z.literal('name'), name: z.string() });
export const flagBodySchema = z.object({
  kind: z.literal('flag'),
  archived: z.boolean().optional(),
  pinned: z.boolean().optional(),
});
export const recoveryBodySchema = z.object({
  kind: z.literal('recovery'),
  /** A torn tail sealed here (`bytes` of it stay in the file), or a bad line the user accepted. */
  torn: z.object({ bytes: z.number().int().nonnegative() }).optional(),
  line: z.number().int().positive().optional(),
  sha: sha256Schema.optional(),
});

export const recordBodySchema = z.discriminatedUnion('kind', [
  headerBodySchema,
  messageBodySchema,
  changeBodySchema,
  digestBodySchema,
  boundaryBodySchema,
  customBodySchema,
  tipBodySchema,
  restoreBodySchema,
  turnBodySchema,
  usageBodySchema,
  decisionBodySchema,
  nameBodySchema,
  flagBodySchema,
  recoveryBodySchema,
]);
/** A record before the store gives it `id`, `parent` and `at`. */
export type RecordBody = z.infer<typeof recordBodySchema>;
export type RecordKind = RecordBody['kind'];

export const envelopeSchema = z.object(envelope);
export type Envelope = z.infer<typeof envelopeSchema>;
export type StrandRecord = Envelope & RecordBody;
export type RecordOf<K extends RecordKind> = Envelope & Extract<RecordBody, { kind: K }>;

/** Kinds that become the tip when they are read. `tip` and `restore` move it by their `to`. */
export const TIP_KINDS: ReadonlySet<string> = new Set([
  'header',
  'message',
  'change',
  'digest',
  'boundary',
  'custom',
]);
