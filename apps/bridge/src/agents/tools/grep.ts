/** Tool `grep`: which lines of which files match a regular expression. */
import { relative } from 'node:path';
import { z } from 'zod';
import { globMatcher } from './glob-match.ts';
import { openRegexSearch, type RegexSearch } from './regex-search.ts';
import {
  defineTool,
  failed,
  type PreparedCall,
  readOnly,
  refused,
  succeeded,
  type ToolContext,
  type ToolOutcome,
} from './tool.ts';
import { resolvePlace, type SearchPlace, slashed, walkFiles } from './walk.ts';
import { editableText } from './workspace-file.ts';

const MAX_MATCHES = 200;
const MAX_CHARACTERS = 28_000;
const MAX_LINE = 400;
/** Of one file; starting the thread is part of the first one. */
const DEADLINE_MS = 5000;

const input = z.object({
  pattern: z.string().min(1).describe('JavaScript regular expression, matched line by line.'),
  path: z.string().optional().describe('File or folder to search; default is the working directory.'),
  glob: z.string().optional().describe('Only files with such a name, for example `*.ts`.'),
  ignore_case: z.boolean().optional(),
});
type Request = z.output<typeof input>;
type Place = Exclude<SearchPlace, { kind: 'refused' }>;

export const grepTool = defineTool({
  name: 'grep',
  description:
    'Searches file contents by regular expression; answers `path:line:text`. Ignored files are left out.',
  input,
  prepare: async (request, context): Promise<PreparedCall> => {
    const pattern = compile(request);
    if (typeof pattern === 'string') return refused(`The pattern is not valid: ${pattern}.`);
    return readOnly('grep', `Search ${request.pattern}`, () => searchAll(request, pattern, context));
  },
});

const compile = (request: Request): RegExp | string => {
  try {
    return new RegExp(request.pattern, request.ignore_case === true ? 'iu' : 'u');
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
};

const searchAll = async (request: Request, pattern: RegExp, context: ToolContext): Promise<ToolOutcome> => {
  const place = await resolvePlace(context, request.path);
  if (place.kind === 'refused') return failed(place.message);
  const search = openRegexSearch(pattern, DEADLINE_MS);
  const found: Found = { rows: [], size: 0, more: false };
  try {
    for await (const file of filesOf(place, request.glob, context)) {
      const slow = await searchFile({ file, search, found }, context);
      if (slow)
        return failed(`The pattern takes too long on ${relative(context.cwd, file)}. Use a simpler one.`);
      if (found.more) break;
    }
  } finally {
    await search.close();
  }
  const rows = found.more ? [...found.rows, '[more lines match: narrow the search]'] : found.rows;
  if (context.signal.aborted) return { status: 'interrupted', output: rows.join('\n') };
  return succeeded(rows.length === 0 ? 'No line matches.' : rows.join('\n'));
};

interface Found {
  readonly rows: string[];
  size: number;
  more: boolean;
}

async function* filesOf(
  place: Place,
  glob: string | undefined,
  context: ToolContext,
): AsyncGenerator<string> {
  if (place.kind === 'file') {
    yield place.path;
    return;
  }
  const matches = glob === undefined ? () => true : globMatcher(glob);
  for await (const file of walkFiles(context, place.path)) {
    if (matches(slashed(relative(place.path, file)))) yield file;
  }
}

/** True when the deadline passed. */
const searchFile = async (
  step: { readonly file: string; readonly search: RegexSearch; readonly found: Found },
  context: ToolContext,
): Promise<boolean> => {
  const read = await context.gate.read(step.file);
  const text = read.kind === 'file' ? editableText(read.bytes) : null;
  if (text === null) return false;
  const matches = await step.search.search(text, MAX_MATCHES + 1);
  if (matches === 'slow') return true;
  for (const match of matches)
    addRow(step.found, `${slashed(relative(context.cwd, step.file))}:${match.line}:${shorten(match.text)}`);
  return false;
};

const addRow = (found: Found, row: string): void => {
  found.size += row.length + 1;
  if (found.rows.length >= MAX_MATCHES || found.size > MAX_CHARACTERS) found.more = true;
  else found.rows.push(row);
};

const shorten = (line: string): string =>
  (line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE)} […]`).toWellFormed();
