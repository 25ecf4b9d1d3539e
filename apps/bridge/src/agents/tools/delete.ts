/** Tool `delete`: removes one file; folders are for the shell. */
import { z } from 'zod';
import { defineTool, refused } from './tool.ts';
import { editableText, openFile, reportGate, staleness } from './workspace-file.ts';

export const deleteTool = defineTool({
  name: 'delete',
  description: 'Deletes one file. It must have been read before. The user can bring it back.',
  input: z.object({ path: z.string().min(1).describe('File to delete.') }),
  prepare: async ({ path }, context) => {
    const file = await openFile(context, path);
    if (file.kind === 'refused') return { kind: 'refused', outcome: file.outcome };
    if (file.kind === 'absent') return refused(`There is no file ${path}.`);
    const stale = staleness(context, file);
    if (stale !== null) return { kind: 'refused', outcome: stale };
    return {
      kind: 'ready',
      ask: {
        tool: 'delete',
        title: `Delete ${path}`,
        command: null,
        edit: { path, before: editableText(file.bytes), after: null },
      },
      run: async () => {
        const result = await context.gate.remove({ call: context.call, path, expect: file.sha256 });
        return reportGate(context, result, `Deleted ${path}.`);
      },
    };
  },
});
