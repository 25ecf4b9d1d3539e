/** Schemas of the `turns` router: send, steer, queue, interrupt, answer a permission request. */
import { z } from 'zod';
import { recordIdSchema, strandIdSchema } from '../record/ids.ts';
import { pathRefSchema } from '../record/path-ref.ts';

export const imageInputSchema = z.object({ mime: z.string(), b64: z.string(), name: z.string().optional() });

export const MAX_PROMPT_CHARS = 2_000_000;

export const promptInputSchema = z.object({
  strand: strandIdSchema,
  text: z.string().max(MAX_PROMPT_CHARS),
  images: z.array(imageInputSchema).max(100).default([]),
  mentions: z.array(z.string()).max(100).default([]),
  /** `now`: start a turn, busy if one runs. `steer`: into the running turn. `queue`: after it. */
  when: z.enum(['now', 'steer', 'queue']).default('now'),
  by: z.enum(['user', 'script']).default('user'),
  /** False: permission requests are denied at once, nobody is there to answer. */
  interactive: z.boolean().default(true),
});
export type PromptInput = z.infer<typeof promptInputSchema>;
export const promptOutputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started'), turn: recordIdSchema }),
  z.object({ kind: z.literal('steered'), id: z.string() }),
  z.object({ kind: z.literal('queued'), id: z.string() }),
]);

export const queuedPromptSchema = z.object({
  id: z.string(),
  text: z.string(),
  at: z.string(),
  kind: z.enum(['steer', 'queue']),
  images: z.array(imageInputSchema).default([]),
  mentions: z.array(z.string()).default([]),
});
export type QueuedPrompt = z.infer<typeof queuedPromptSchema>;
/** A prompt on its way into the queue. */
export type PromptToQueue = Pick<QueuedPrompt, 'text' | 'kind'> &
  Partial<Pick<QueuedPrompt, 'images' | 'mentions'>>;

/** What a person needs to decide. `id` is single-use and bound to the strand and turn. */
export const permissionRequestSchema = z.object({
  id: z.string(),
  strand: strandIdSchema,
  turn: recordIdSchema,
  call: z.string(),
  tool: z.string(),
  at: z.string(),
  /** One line: the verb and its target. */
  title: z.string(),
  /** The whole command, or null. */
  command: z.string().nullable(),
  /** What would be written, or null. */
  edit: z
    .object({ path: pathRefSchema, before: z.string().nullable(), after: z.string().nullable() })
    .nullable(),
  /** The rule that "always" would save. */
  rule: z.string().nullable(),
});
export type PermissionRequest = z.infer<typeof permissionRequestSchema>;

export const decideInputSchema = z.object({
  id: z.string(),
  strand: strandIdSchema,
  decision: z.enum(['allow', 'always', 'deny']),
  reason: z.string().max(4000).optional(),
});
/** `saved` is false when "always" could not be written: then it holds for this session only (row 155). */
export const decideOutputSchema = z.object({ accepted: z.boolean(), saved: z.boolean() });

export const turnResultSchema = z.object({
  strand: strandIdSchema,
  turn: recordIdSchema,
  outcome: z.enum(['done', 'aborted', 'failed', 'limit', 'interrupted']),
  text: z.string(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
