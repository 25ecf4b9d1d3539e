/** Reads a small JSON body. One JSON value, of the right type, under the cap; else a refusal. */
import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from './refusal.ts';

export type JsonBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** A form or a script of another page can send `text/plain` without asking; it cannot send this. */
export const checkJsonType = (req: IncomingMessage): Refusal | null => {
  const type = req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  return type === 'application/json' ? null : refuse(415, 'invalid_input', 'Send application/json.');
};

export const readJson = async (req: IncomingMessage, maxBytes: number): Promise<JsonBody> => {
  const wrongType = checkJsonType(req);
  if (wrongType !== null) return { kind: 'refused', refusal: wrongType };
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req) {
    if (!(chunk instanceof Buffer)) continue;
    bytes += chunk.length;
    if (bytes > maxBytes) {
      return { kind: 'refused', refusal: refuse(413, 'invalid_input', 'This request is too large.') };
    }
    chunks.push(chunk);
  }
  return parse(Buffer.concat(chunks).toString('utf8'));
};

const parse = (text: string): JsonBody => {
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: 'refused', refusal: refuse(400, 'invalid_input', 'The request is not one JSON value.') };
  }
};
