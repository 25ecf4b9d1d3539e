/** Records without their bulk, for a fold that only makes a list row: memory stays small for a large strand. */

import type { DecodedLine } from '@skein/core/record/line';
import type { Part } from '@skein/core/record/parts';

/** Keeps what titles, counts and costs come from: a prompt's text, roles, usage. */
export const lightenLine = (decoded: DecodedLine): DecodedLine => {
  if (decoded.kind === 'unknown') return { ...decoded, raw: {} };
  if (decoded.kind !== 'ok') return decoded;
  const { record } = decoded;
  switch (record.kind) {
    case 'message':
      return {
        kind: 'ok',
        record: { ...record, parts: record.parts.map((part) => lightenPart(part, record.role)) },
      };
    case 'custom':
      return { kind: 'ok', record: { ...record, data: null } };
    case 'digest':
      return { kind: 'ok', record: { ...record, summary: '' } };
    default:
      return decoded;
  }
};

const lightenPart = (part: Part, role: 'user' | 'assistant' | 'tool'): Part => {
  switch (part.type) {
    case 'text':
      return role === 'user' ? part : { ...part, text: '' };
    case 'thinking':
      return { type: 'thinking', text: '' };
    case 'note':
      return { ...part, text: '' };
    case 'image':
      return { ...part, data: '' };
    case 'tool_call':
      return { type: 'tool_call', call: part.call, name: part.name, input: null };
    case 'tool_result':
      return { ...part, output: '' };
    case 'mention':
      return part;
  }
};
