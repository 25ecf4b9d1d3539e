/** Parts of a message of opencode. */
import type { Part, ToolResultStatus } from '../../record/parts.ts';
import type { Chain } from '../chain.ts';
import { addChange } from '../changes.ts';
import { type JsonObject, objectOf, shownText, textOf } from '../json.ts';

/** Parts that mark places or repeat what is told elsewhere. */
const SILENT: ReadonlySet<unknown> = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
  'subtask',
  'retry',
  'compaction',
]);

/** Null when the kind is not known. */
export const partsOf = (told: JsonObject): readonly Part[] | null => {
  const text = textOf(told['text']) ?? '';
  switch (told['type']) {
    case 'text':
      if (text === '') return [];
      return told['synthetic'] === true ? [{ type: 'note', text }] : [{ type: 'text', text }];
    case 'reasoning':
      return text === '' ? [] : [{ type: 'thinking', text }];
    case 'tool':
      return toolParts(told);
    case 'file':
      return [filePart(told)];
    default:
      return SILENT.has(told['type']) ? [] : null;
  }
};

const STATUS: Readonly<Record<string, ToolResultStatus>> = { completed: 'ok', success: 'ok', error: 'error' };

function toolParts(told: JsonObject): readonly Part[] {
  const state = objectOf(told['state']) ?? {};
  const call = textOf(told['callID']) ?? textOf(told['id']) ?? '';
  const made: Part = {
    type: 'tool_call',
    call,
    name: textOf(told['tool']) ?? '',
    input: state['input'] ?? {},
  };
  const status = STATUS[textOf(state['status']) ?? ''];
  if (status === undefined) return [made];
  return [made, { type: 'tool_result', call, status, output: shownText(state['output'] ?? state['error']) }];
}

/** An image that lies in the file itself is shown, anything else is named. */
function filePart(told: JsonObject): Part {
  const [mime, url] = [textOf(told['mime']) ?? '', textOf(told['url']) ?? ''];
  const name = textOf(told['filename']);
  const comma = url.startsWith('data:') ? url.indexOf(';base64,') : -1;
  if (!mime.startsWith('image/') || comma < 0)
    return { type: 'note', text: `File: ${name ?? url.slice(0, 400)}` };
  return { type: 'image', mime, data: url.slice(comma + 8), ...(name === null ? {} : { name }) };
}

const EDITS: ReadonlySet<unknown> = new Set(['edit', 'write', 'multiedit', 'patch']);

/** A file that an edit named and that its summary does not count. */
export const noteEdit = (chain: Chain, told: JsonObject): void => {
  const state = objectOf(told['state']);
  const path = textOf(objectOf(state?.['input'])?.['filePath']);
  if (
    told['type'] !== 'tool' ||
    !EDITS.has(told['tool']) ||
    state?.['status'] !== 'completed' ||
    path === null
  )
    return;
  addChange(chain, { path, status: 'modified', added: null, removed: null });
};
