/**
 * What a driver tells about a running turn. The recorder (`turn/recorder.ts`) is the one place that
 * decides which of these become durable records and which are disposable live deltas.
 */
import { z } from 'zod';
import { toolResultStatusSchema } from '../record/parts.ts';
import { fileChangeSchema, turnOutcomeSchema, usageSchema } from '../record/schema.ts';

export const agentEventSchema = z.discriminatedUnion('type', [
  /** A model call begins. */
  z.object({ type: z.literal('step_start'), model: z.string() }),
  /** `block` keeps interleaved blocks apart within one step. */
  z.object({ type: z.literal('text'), block: z.string(), text: z.string() }),
  z.object({
    type: z.literal('thinking'),
    block: z.string(),
    text: z.string(),
    signature: z.string().optional(),
  }),
  /** The input of a call while it is still streaming: live only. */
  z.object({ type: z.literal('tool_input'), call: z.string(), name: z.string(), delta: z.string() }),
  /** A whole call; part of this step's assistant message. */
  z.object({ type: z.literal('tool_call'), call: z.string(), name: z.string(), input: z.unknown() }),
  /** The model call ended: the assistant message becomes durable. */
  z.object({
    type: z.literal('step_end'),
    stop: z.enum(['end', 'tool', 'length', 'aborted', 'error']),
    usage: usageSchema.optional(),
    costUsd: z.number().nonnegative().optional(),
    error: z.string().optional(),
  }),
  z.object({ type: z.literal('tool_start'), call: z.string() }),
  /** Output while the tool runs: live only. */
  z.object({ type: z.literal('tool_output'), call: z.string(), text: z.string() }),
  z.object({
    type: z.literal('tool_result'),
    call: z.string(),
    status: toolResultStatusSchema,
    output: z.string(),
    durationMs: z.number().nonnegative().optional(),
    exitCode: z.number().int().optional(),
  }),
  z.object({
    type: z.literal('decision'),
    call: z.string(),
    tool: z.string(),
    allowed: z.boolean(),
    by: z.enum(['rule', 'hook', 'user', 'mode']),
    rule: z.string().optional(),
    reason: z.string().optional(),
  }),
  /** A model call failed in a way that may pass; the next try starts after `delayMs`. Live only. */
  z.object({ type: z.literal('retry'), attempt: z.number().int(), delayMs: z.number(), message: z.string() }),
  /** A message the user sent during the turn was handed to the model. */
  z.object({ type: z.literal('steer'), id: z.string(), text: z.string() }),
  /** Spend outside the transcript. */
  z.object({
    type: z.literal('usage'),
    model: z.string(),
    usage: usageSchema,
    costUsd: z.number().nonnegative().optional(),
    source: z.string(),
  }),
  /** The last event of every turn. */
  z.object({
    type: z.literal('end'),
    outcome: turnOutcomeSchema,
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
]);
export type AgentEvent = z.infer<typeof agentEventSchema>;

/** What a page sees of a running turn between two durable records; may be dropped at any time. */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step_start'), model: z.string() }),
  z.object({ type: z.literal('text'), block: z.string(), text: z.string() }),
  z.object({ type: z.literal('thinking'), block: z.string(), text: z.string() }),
  z.object({ type: z.literal('tool_input'), call: z.string(), name: z.string(), delta: z.string() }),
  z.object({ type: z.literal('tool_start'), call: z.string() }),
  z.object({ type: z.literal('tool_output'), call: z.string(), text: z.string() }),
  z.object({ type: z.literal('retry'), attempt: z.number().int(), delayMs: z.number(), message: z.string() }),
  /** The partial step so far, sent first to a page that joins mid-step, so that it can draw at once. */
  z.object({
    type: z.literal('catch_up'),
    blocks: z.array(z.object({ block: z.string(), kind: z.enum(['text', 'thinking']), text: z.string() })),
    calls: z.array(
      z.object({
        call: z.string(),
        name: z.string(),
        input: z.string(),
        output: z.string(),
        started: z.boolean(),
      }),
    ),
  }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;

export const turnSettlementSchema = z.object({
  outcome: turnOutcomeSchema,
  files: z.array(fileChangeSchema),
});
