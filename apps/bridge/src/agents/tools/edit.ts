/** Tools `edit` and `multi_edit`: exact replacements in one file, all of them or none. */
import { z } from 'zod';
import { replaceText } from './replace-text.ts';
import { defineTool, type PreparedCall, refused, type ToolContext } from './tool.ts';
import { editableText, openFile, plural, reportGate, staleness } from './workspace-file.ts';

const editFields = {
  old_string: z.string().describe('The exact text to replace; must occur once, unless replace_all is set.'),
  new_string: z.string().describe('What to put in its place.'),
  replace_all: z.boolean().optional().describe('Replace every occurrence.'),
};
const path = z.string().min(1).describe('File to change, absolute or relative to the working directory.');
const oneEdit = z.object(editFields);

export const editTool = defineTool({
  name: 'edit',
  description: 'Replaces one exact text in a file. The file must have been read before.',
  input: z.object({ path, ...editFields }),
  prepare: (request, context) =>
    prepareEdits({ tool: 'edit', path: request.path, edits: [request] }, context),
});

export const multiEditTool = defineTool({
  name: 'multi_edit',
  description:
    'Several exact replacements in one file, applied in order. If one is impossible, nothing is written.',
  input: z.object({ path, edits: z.array(oneEdit).min(1) }),
  prepare: (request, context) => prepareEdits({ tool: 'multi_edit', ...request }, context),
});

interface EditRequest {
  readonly tool: string;
  readonly path: string;
  readonly edits: readonly z.output<typeof oneEdit>[];
}

const prepareEdits = async (request: EditRequest, context: ToolContext): Promise<PreparedCall> => {
  const file = await openFile(context, request.path);
  if (file.kind === 'refused') return { kind: 'refused', outcome: file.outcome };
  if (file.kind === 'absent') return refused(`There is no file ${request.path}. Use write to create it.`);
  const stale = staleness(context, file);
  if (stale !== null) return { kind: 'refused', outcome: stale };
  const before = editableText(file.bytes);
  if (before === null) return refused(`${request.path} is not UTF-8 text and cannot be edited.`);
  const edited = applyAll(before, request.edits);
  if (edited.kind === 'impossible') return refused(`${request.path}: ${edited.reason} Nothing was written.`);
  const after = edited.text;
  return {
    kind: 'ready',
    ask: {
      tool: request.tool,
      title: `Edit ${request.path}`,
      command: null,
      edit: { path: request.path, before, after },
    },
    run: async () => {
      const result = await context.gate.write({
        call: context.call,
        path: request.path,
        bytes: Buffer.from(after, 'utf8'),
        expect: file.sha256,
      });
      return reportGate(context, result, `Changed ${request.path} (${plural(edited.count, 'place')}).`);
    },
  };
};

const applyAll = (before: string, edits: EditRequest['edits']): ReturnType<typeof replaceText> => {
  let text = before;
  let count = 0;
  for (const [index, edit] of edits.entries()) {
    const step = replaceText(text, {
      old: edit.old_string,
      new: edit.new_string.toWellFormed(),
      all: edit.replace_all ?? false,
    });
    if (step.kind === 'impossible') {
      const which = edits.length === 1 ? '' : `edit ${index + 1} of ${edits.length}: `;
      return { kind: 'impossible', reason: `${which}${step.reason}` };
    }
    text = step.text;
    count += step.count;
  }
  return { kind: 'replaced', text, count };
};
