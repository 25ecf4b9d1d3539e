/**
 * The parts of a message. Any long text may be a spill: the bytes lie in `spills/`, the record keeps
 * their hash and the first and last characters (DESIGN section 4, "Spill").
 */
import { z } from 'zod';
import { sha256Schema } from './ids.ts';
import { pathRefSchema } from './path-ref.ts';

/** A text moved out of the line. `bytes` counts the UTF-8 bytes of the whole; head and tail are code-point safe. */
export const spillSchema = z.object({
  sha256: sha256Schema,
  bytes: z.number().int().nonnegative(),
  mime: z.string(),
  head: z.string(),
  tail: z.string(),
});
export type Spill = z.infer<typeof spillSchema>;

export const contentSchema = z.union([z.string(), spillSchema]);
export type Content = z.infer<typeof contentSchema>;

export const textPartSchema = z.object({ type: z.literal('text'), text: contentSchema });
/** Something the bridge tells the model, shown folded: files restored since, instructions read. */
export const notePartSchema = z.object({
  type: z.literal('note'),
  text: contentSchema,
  files: z.array(pathRefSchema).optional(),
});
/** `signature` is the provider's, byte for byte; it must go back unchanged. */
export const thinkingPartSchema = z.object({
  type: z.literal('thinking'),
  text: contentSchema,
  signature: z.string().optional(),
});
/** `data` is base64 of the image bytes. */
export const imagePartSchema = z.object({
  type: z.literal('image'),
  mime: z.string(),
  data: contentSchema,
  name: z.string().optional(),
});
export const mentionPartSchema = z.object({ type: z.literal('mention'), path: pathRefSchema });
/** When `inputSpill` is there, `input` is null and the JSON text of the input is the spilled content. */
export const toolCallPartSchema = z.object({
  type: z.literal('tool_call'),
  call: z.string(),
  name: z.string(),
  input: z.unknown(),
  inputSpill: spillSchema.optional(),
});
export const toolResultStatusSchema = z.enum(['ok', 'error', 'denied', 'interrupted']);
export type ToolResultStatus = z.infer<typeof toolResultStatusSchema>;
export const toolResultPartSchema = z.object({
  type: z.literal('tool_result'),
  call: z.string(),
  status: toolResultStatusSchema,
  output: contentSchema,
  durationMs: z.number().nonnegative().optional(),
  /** Exit code of a shell command. */
  exitCode: z.number().int().optional(),
});

export const partSchema = z.discriminatedUnion('type', [
  textPartSchema,
  notePartSchema,
  thinkingPartSchema,
  imagePartSchema,
  mentionPartSchema,
  toolCallPartSchema,
  toolResultPartSchema,
]);
export type Part = z.infer<typeof partSchema>;
export type ToolCallPart = z.infer<typeof toolCallPartSchema>;
export type ToolResultPart = z.infer<typeof toolResultPartSchema>;

/** The text of a content, or the head of a spill: for titles and one-line views. */
export const contentHead = (content: Content): string =>
  typeof content === 'string' ? content : content.head;
