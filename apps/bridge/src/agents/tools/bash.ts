/** Tool `bash`: a shell command in its own process group, with named files parked beforehand on request. */
import { z } from 'zod';
import type { ProcessResult } from '../ports.ts';
import { defineTool, failed, type ToolContext, type ToolOutcome } from './tool.ts';

/** All of it goes into the record (the store spills it); the model sees a part (see loop/model-view.ts). */
const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;
const MAX_TIMEOUT_MS = 3_600_000;

const input = z.object({
  command: z.string().min(1).describe('Runs as `bash -c COMMAND` in the working directory, without input.'),
  timeout_ms: z.number().int().positive().max(MAX_TIMEOUT_MS).optional(),
  checkpoint_paths: z
    .array(z.string().min(1))
    .optional()
    .describe('Files that the command will change or delete, so that this can be undone exactly.'),
});

export const bashTool = defineTool({
  name: 'bash',
  description:
    'Runs a shell command and returns what it printed. Long output is cut in the middle. Processes left in the ' +
    'background end with the command. Prefer read, grep, glob, edit and write for files: their changes can be undone ' +
    'exactly.',
  input,
  prepare: async (request, context) => ({
    kind: 'ready',
    ask: { tool: 'bash', title: firstLine(request.command), command: request.command, edit: null },
    run: () => runCommand(request, context),
  }),
});

const runCommand = async (request: z.output<typeof input>, context: ToolContext): Promise<ToolOutcome> => {
  const parked = await park(request.checkpoint_paths ?? [], context);
  if (parked.kind === 'refused') return failed(`Not run: ${parked.message}`);
  await context.gate.beforeUngated(context.call, context.signal);
  const timeoutMs = request.timeout_ms ?? context.shellTimeoutMs;
  try {
    const result = await context.processes.shell({
      command: request.command,
      cwd: context.cwd,
      timeoutMs,
      signal: context.signal,
      onOutput: context.onOutput,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    return report(result, timeoutMs);
  } finally {
    await parked.settle();
  }
};

const park = async (
  paths: readonly string[],
  context: ToolContext,
): Promise<
  { kind: 'parked'; settle: () => Promise<void> } | { readonly kind: 'refused'; readonly message: string }
> => {
  if (paths.length === 0) return { kind: 'parked', settle: () => Promise.resolve() };
  return context.gate.checkpoint({ call: context.call, paths });
};

const report = (result: ProcessResult, timeoutMs: number): ToolOutcome => {
  const exitCode = result.exitCode ?? undefined;
  if (result.interrupted)
    return { status: 'interrupted', output: withNote(result.output, 'interrupted by user') };
  if (result.timedOut)
    return failed(withNote(result.output, `ended after its time limit of ${timeoutMs} ms`));
  if (result.signal !== null) return failed(withNote(result.output, `ended by ${result.signal}`));
  return { status: exitCode === 0 ? 'ok' : 'error', output: result.output, exitCode };
};

const withNote = (output: string, note: string): string =>
  `${output}${output === '' || output.endsWith('\n') ? '' : '\n'}[${note}]`;

const firstLine = (command: string): string => {
  const [line = '', ...rest] = command.trim().split('\n');
  return rest.length === 0 ? line : `${line} …`;
};
