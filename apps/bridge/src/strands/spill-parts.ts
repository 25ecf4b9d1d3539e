/**
 * Which contents of a record leave the line (DESIGN "Spill"): every text over 32 KiB. What is spilled is the
 * very string, as UTF-8: base64 of an image (its mime then ends in `;base64`), JSON text of a tool's input.
 */
import { createHash } from 'node:crypto';
import type { Sha256 } from '@skein/core/record/ids';
import type { Content, Part, Spill } from '@skein/core/record/parts';
import type { RecordBody } from '@skein/core/record/schema';

export const SPILL_OVER_BYTES = 32 * 1024;
const HEAD_POINTS = 2000;
const TAIL_POINTS = 1000;

export interface SpilledBody {
  readonly body: RecordBody;
  /** To be on disk before the record. */
  readonly contents: readonly Uint8Array[];
}

/** The body with its large contents replaced by references. Pure. */
export const spillBody = (body: RecordBody): SpilledBody => {
  if (body.kind !== 'message') return { body, contents: [] };
  const contents: Uint8Array[] = [];
  const parts = body.parts.map((part) => spillPart(part, contents));
  return contents.length === 0 ? { body, contents } : { body: { ...body, parts }, contents };
};

const spillPart = (part: Part, contents: Uint8Array[]): Part => {
  switch (part.type) {
    case 'text':
    case 'note':
    case 'thinking':
      return { ...part, text: spillContent(part.text, 'text/plain', contents) };
    case 'image':
      return { ...part, data: spillContent(part.data, `${part.mime};base64`, contents) };
    case 'tool_result':
      return { ...part, output: spillContent(part.output, 'text/plain', contents) };
    case 'tool_call': {
      const json = part.inputSpill === undefined ? JSON.stringify(part.input, wellFormed) : undefined;
      const content = json === undefined ? '' : spillContent(json, 'application/json', contents);
      return typeof content === 'string' ? part : { ...part, input: null, inputSpill: content };
    }
    case 'mention':
      return part;
  }
};

/** JSON.stringify would write a lone surrogate as an escape that comes back when it is read (TRAPS A39). */
const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

const spillContent = (content: Content, mime: string, contents: Uint8Array[]): Content => {
  // A UTF-16 unit is at most three bytes: short texts need no encoding.
  if (typeof content !== 'string' || content.length * 3 <= SPILL_OVER_BYTES) return content;
  const bytes = Buffer.from(content, 'utf8');
  if (bytes.length <= SPILL_OVER_BYTES) return content;
  contents.push(bytes);
  const isText = !mime.endsWith(';base64');
  const spill: Spill = {
    sha256: createHash('sha256').update(bytes).digest('hex') as Sha256,
    bytes: bytes.length,
    mime,
    head: isText ? firstPoints(content, HEAD_POINTS) : '',
    tail: isText ? lastPoints(content, TAIL_POINTS) : '',
  };
  return spill;
};

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** At most so many units, never half a pair. */
const firstPoints = (text: string, units: number): string => {
  const cut = isHighSurrogate(text.charCodeAt(units - 1)) ? units - 1 : units;
  return text.slice(0, cut).toWellFormed();
};

const lastPoints = (text: string, units: number): string => {
  const start = text.length - units;
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start).toWellFormed();
};
