/** Tool `read`: a text file with line numbers, in pages that a model can take. */
import { z } from 'zod';
import { defineTool, failed, readOnly, succeeded, type ToolContext, type ToolOutcome } from './tool.ts';
import { editableText, openFile } from './workspace-file.ts';

const MAX_LINES = 2000;
const MAX_CHARACTERS = 28_000;
const MAX_LINE = 2000;

const input = z.object({
  path: z.string().min(1).describe('File to read, absolute or relative to the working directory.'),
  offset: z.number().int().positive().optional().describe('First line, counted from 1.'),
  limit: z.number().int().positive().max(MAX_LINES).optional().describe('How many lines; default 2000.'),
});

export const readTool = defineTool({
  name: 'read',
  description:
    'Reads a text file and returns its lines, each with its number and a tab. Long files come in pages: the last ' +
    'line of the answer says how to go on. A file must be read before it can be changed.',
  input,
  prepare: async (request, context) =>
    readOnly('read', `Read ${request.path}`, () => readPage(request, context)),
});

const readPage = async (request: z.output<typeof input>, context: ToolContext): Promise<ToolOutcome> => {
  const file = await openFile(context, request.path);
  if (file.kind === 'refused') return file.outcome;
  if (file.kind === 'absent') return failed(`There is no file ${request.path}.`);
  const image = imageType(file.bytes);
  if (image !== null)
    return failed(`${file.path} is an image (${image}, ${file.bytes.length} bytes), not text.`);
  const text = editableText(file.bytes);
  if (text === null) return failed(`${file.path} is not UTF-8 text (${file.bytes.length} bytes).`);
  context.reads.note(file.path, file.sha256);
  if (text === '') return succeeded(`${file.path} is empty.`);
  return succeeded(page(text, request.offset ?? 1, request.limit ?? MAX_LINES));
};

/** Lines `from`.. with their numbers, and a last line that says what is missing. */
export const page = (text: string, from: number, limit: number): string => {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  if (from > lines.length) return `[the file has ${lines.length} lines]`;
  const shown: string[] = [];
  let size = 0;
  for (const line of lines.slice(from - 1, from - 1 + limit)) {
    const row = `${from + shown.length}\t${shorten(line)}`;
    if (shown.length > 0 && size + row.length > MAX_CHARACTERS) break;
    size += row.length + 1;
    shown.push(row);
  }
  const next = from + shown.length;
  if (next <= lines.length)
    shown.push(`[lines ${next} to ${lines.length} not shown: go on with offset ${next}]`);
  return shown.join('\n');
};

const shorten = (line: string): string =>
  line.length <= MAX_LINE
    ? line.toWellFormed()
    : `${line.slice(0, MAX_LINE).toWellFormed()} [${line.length - MAX_LINE} characters more]`;

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['image/bmp', '424d'],
];

const imageType = (bytes: Uint8Array): string | null => {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  if (start.startsWith('52494646') && start.endsWith('57454250')) return 'image/webp';
  const found = SIGNATURES.find(([, signature]) => start.startsWith(signature))?.[0] ?? null;
  // Two letters are no proof that a text is a bitmap.
  return found === 'image/bmp' && !bytes.includes(0) ? null : found;
};
