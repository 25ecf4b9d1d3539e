/** Tool `glob`: which files have a name like this. */
import { relative } from 'node:path';
import { z } from 'zod';
import { globMatcher } from './glob-match.ts';
import { defineTool, failed, readOnly, succeeded, type ToolContext, type ToolOutcome } from './tool.ts';
import { resolvePlace, slashed, walkFiles } from './walk.ts';

const MAX_FOUND = 500;
const MAX_CHARACTERS = 28_000;

const input = z.object({
  pattern: z
    .string()
    .min(1)
    .describe('For example `src/**/*.ts` or `*.{md,txt}`; without a slash: at any depth.'),
  path: z.string().optional().describe('Folder to search; default is the working directory.'),
});

export const globTool = defineTool({
  name: 'glob',
  description: 'Lists files by name pattern, relative to the working directory. Ignored files are left out.',
  input,
  prepare: async (request, context) =>
    readOnly('glob', `List ${request.pattern}`, () => findFiles(request, context)),
});

const findFiles = async (request: z.output<typeof input>, context: ToolContext): Promise<ToolOutcome> => {
  const where = await resolvePlace(context, request.path);
  if (where.kind === 'refused') return failed(where.message);
  if (where.kind === 'file') return failed(`${request.path} is a file; path must name a folder.`);
  const matches = globMatcher(request.pattern);
  const found: string[] = [];
  let size = 0;
  for await (const file of walkFiles(context, where.path)) {
    if (!matches(slashed(relative(where.path, file)))) continue;
    const shown = slashed(relative(context.cwd, file));
    size += shown.length + 1;
    if (found.length === MAX_FOUND || size > MAX_CHARACTERS) {
      found.push('[more files match: narrow the pattern]');
      break;
    }
    found.push(shown);
  }
  if (context.signal.aborted) return { status: 'interrupted', output: found.join('\n') };
  return succeeded(found.length === 0 ? 'No file matches.' : found.join('\n'));
};
