/**
 * Schemas of the `events` router. Durable records carry the cursor `seq:recordId` and arrive exactly once
 * and in order; live deltas carry none and may be dropped (DESIGN section 7).
 */
import { z } from 'zod';
import { recordIdSchema, strandIdSchema } from '../record/ids.ts';
import { liveEventSchema } from '../turn/agent-event.ts';
import { recoveryReportSchema } from './restore.ts';
import { strandSummarySchema, windowItemSchema } from './strands.ts';
import { permissionRequestSchema, queuedPromptSchema } from './turns.ts';

export const cursorSchema = z.string().regex(/^\d+:([0-9a-z]{12}|-)$/);

export const strandEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('record'), item: windowItemSchema }),
  z.object({ type: z.literal('live'), turn: recordIdSchema, event: liveEventSchema }),
  /** Everything up to here was replayed; what follows is new. */
  z.object({ type: z.literal('caught_up') }),
  /** The cursor does not match the file: read a new window. */
  z.object({ type: z.literal('resync'), reason: z.string() }),
]);
export type StrandEvent = z.infer<typeof strandEventSchema>;

export const jobSchema = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  done: z.number().nonnegative(),
  total: z.number().nonnegative().nullable(),
  error: z.string().nullable(),
  result: z.json(),
});
export type Job = z.infer<typeof jobSchema>;

/** Tabs and drafts live in the bridge, so that two windows and a reload agree. `rev` grows by one a write. */
export const pageStateSchema = z.object({
  rev: z.number().int().nonnegative(),
  tabs: z.array(strandIdSchema),
  drafts: z.record(z.string(), z.string()),
});
export type PageState = z.infer<typeof pageStateSchema>;

export const noticeSchema = z.object({
  id: z.string(),
  level: z.enum(['info', 'warn', 'error']),
  message: z.string(),
  strand: strandIdSchema.nullable(),
});
export type Notice = z.infer<typeof noticeSchema>;

export const globalSnapshotSchema = z.object({
  strands: z.array(strandSummarySchema),
  permissions: z.array(permissionRequestSchema),
  queues: z.record(z.string(), z.array(queuedPromptSchema)),
  jobs: z.array(jobSchema),
  page: pageStateSchema,
  recoveries: z.array(recoveryReportSchema),
  notices: z.array(noticeSchema),
});

export const globalEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('snapshot'), snapshot: globalSnapshotSchema }),
  z.object({ type: z.literal('strand'), summary: strandSummarySchema }),
  z.object({ type: z.literal('strand_gone'), id: strandIdSchema }),
  z.object({ type: z.literal('permission'), request: permissionRequestSchema }),
  z.object({ type: z.literal('permission_closed'), id: z.string(), strand: strandIdSchema }),
  z.object({ type: z.literal('queue'), strand: strandIdSchema, queue: z.array(queuedPromptSchema) }),
  z.object({ type: z.literal('job'), job: jobSchema }),
  z.object({ type: z.literal('page'), page: pageStateSchema }),
  z.object({ type: z.literal('recovery'), report: recoveryReportSchema }),
  z.object({ type: z.literal('notice'), notice: noticeSchema }),
  z.object({ type: z.literal('settings') }),
]);
export type GlobalEvent = z.infer<typeof globalEventSchema>;
