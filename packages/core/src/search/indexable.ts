/** What of a record is searched, and what is known of it beside its texts. Pure. */
import type { Content, Part } from '../record/parts.ts';
import { showPath } from '../record/path-ref.ts';
import type { StrandRecord } from '../record/schema.ts';
import { isPrompt } from '../strand/prompts.ts';

export interface Indexable {
  readonly texts: readonly string[];
  /** Who said it: prompt, answer, thinking alone counts as an answer; tool for calls and results; turn for its files. */
  readonly role: 'prompt' | 'answer' | 'tool' | 'note' | 'summary' | 'name' | 'turn';
  readonly tools: readonly string[];
  readonly files: readonly string[];
  readonly model: string | null;
  readonly hasChanges: boolean;
  readonly hasError: boolean;
}

/** A longer text is searched in its first characters only. */
export const MAX_TEXT = 256 * 1024;

/** Null when there is nothing in it to be found. */
export const indexableOf = (record: StrandRecord): Indexable | null => {
  switch (record.kind) {
    case 'message':
      return ofMessage(record);
    case 'digest':
      return plain('summary', [record.summary]);
    case 'name':
      return plain('name', [record.name]);
    case 'turn': {
      const files = record.files.map(({ path }) => showPath(path));
      const hasError = record.outcome === 'failed' || record.error !== undefined;
      if (files.length === 0 && !hasError) return null;
      const texts = [...files, ...(record.error === undefined ? [] : [record.error.message])];
      return { ...plain('turn', texts), files, hasChanges: files.length > 0, hasError };
    }
    default:
      return null;
  }
};

const plain = (role: Indexable['role'], texts: readonly string[]): Indexable => ({
  texts: texts.filter((text) => text !== '').map(cut),
  role,
  tools: [],
  files: [],
  model: null,
  hasChanges: false,
  hasError: false,
});

const cut = (text: string): string =>
  text.length > MAX_TEXT ? text.slice(0, MAX_TEXT).toWellFormed() : text;

function ofMessage(record: Extract<StrandRecord, { kind: 'message' }>): Indexable | null {
  const texts = record.parts.flatMap(textsOf);
  const tools = record.parts.flatMap((part) => (part.type === 'tool_call' ? [part.name] : []));
  const found = plain(roleOf(record), texts);
  if (found.texts.length === 0 && tools.length === 0) return null;
  const hasError =
    record.error !== undefined ||
    record.parts.some((part) => part.type === 'tool_result' && part.status === 'error');
  return {
    ...found,
    tools,
    files: record.parts.flatMap(filesOf),
    model: record.model ?? null,
    hasError,
  };
}

function roleOf(record: Extract<StrandRecord, { kind: 'message' }>): Indexable['role'] {
  const isSaid: boolean = isPrompt(record);
  if (isSaid || record.steer === true) return 'prompt';
  const isTool = (part: Part): boolean => part.type === 'tool_call' || part.type === 'tool_result';
  if (record.role === 'tool' || (record.parts.length > 0 && record.parts.every(isTool))) return 'tool';
  return record.role === 'assistant' ? 'answer' : 'note';
}

/** Of a spill its ends are here; the middle lies in a file of its own. */
const contentText = (content: Content): string =>
  typeof content === 'string' ? content : `${content.head}\n${content.tail}`;

function textsOf(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'note':
    case 'thinking':
      return [contentText(part.text)];
    case 'tool_result':
      return [contentText(part.output)];
    case 'tool_call':
      return part.inputSpill === undefined ? stringsIn(part.input) : [contentText(part.inputSpill)];
    case 'mention':
      return [showPath(part.path)];
    case 'image':
      return part.name === undefined ? [] : [part.name];
  }
}

const MAX_STRINGS = 500;

/** Keys are names of the tool, not of the work: only values are searched. */
function stringsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0 && found.length < MAX_STRINGS) {
    const next = open.pop();
    if (typeof next === 'string') found.push(next);
    else if (Array.isArray(next)) open.push(...next.slice(0, MAX_STRINGS).toReversed());
    else if (typeof next === 'object' && next !== null)
      open.push(...Object.values(next).slice(0, MAX_STRINGS).toReversed());
  }
  return found;
}

const PATH_KEYS = ['file_path', 'filePath', 'path', 'notebook_path', 'filename'] as const;

function filesOf(part: Part): readonly string[] {
  if (part.type === 'mention') return [showPath(part.path)];
  if (part.type !== 'tool_call' || typeof part.input !== 'object' || part.input === null) return [];
  const input = part.input as Readonly<Record<string, unknown>>;
  return PATH_KEYS.flatMap((key) => {
    const path = input[key];
    return typeof path === 'string' ? [path] : [];
  });
}
