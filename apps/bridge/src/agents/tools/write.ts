/** Tool `write`: the whole content of one file. */
import { z } from 'zod';
import { defineTool, refused } from './tool.ts';
import { countLines, editableText, openFile, plural, reportGate, staleness } from './workspace-file.ts';

const input = z.object({
  path: z.string().min(1).describe('File to write, absolute or relative to the working directory.'),
  content: z.string().describe('The whole new content, written exactly as given.'),
});

export const writeTool = defineTool({
  name: 'write',
  description:
    'Writes a whole file, creating it and its folders when they do not exist. An existing file must have been read ' +
    'before. For changes to a part of a file use edit.',
  input,
  prepare: async ({ path, content }, context) => {
    const file = await openFile(context, path);
    if (file.kind === 'refused') return { kind: 'refused', outcome: file.outcome };
    const stale = file.kind === 'file' ? staleness(context, file) : null;
    if (stale !== null) return { kind: 'refused', outcome: stale };
    if (!content.isWellFormed()) return refused('The content holds half of a surrogate pair; send it again.');
    const before = file.kind === 'file' ? editableText(file.bytes) : null;
    return {
      kind: 'ready',
      ask: { tool: 'write', title: `Write ${path}`, command: null, edit: { path, before, after: content } },
      run: async () => {
        const result = await context.gate.write({
          call: context.call,
          path,
          bytes: Buffer.from(content, 'utf8'),
          expect: file.kind === 'file' ? file.sha256 : null,
        });
        const what = file.kind === 'file' ? 'Wrote' : 'Created';
        return reportGate(context, result, `${what} ${path} (${plural(countLines(content), 'line')}).`);
      },
    };
  },
});
