/** Tools that only scripts have: a bare permission request, and a task that says why it cannot be done yet. */
import { z } from 'zod';
import { LOOP_TOOLS } from '../tools/catalog.ts';
import { defineTool, refused, succeeded, type Tool } from '../tools/tool.ts';

const askTool = defineTool({
  name: 'ask',
  description: 'Asks for the permission to use a tool and does nothing with it.',
  input: z.object({ tool: z.string() }),
  prepare: async ({ tool }) => ({
    kind: 'ready',
    ask: { tool, title: `Use ${tool}`, command: null, edit: null },
    run: async () => succeeded(`${tool} is allowed.`),
  }),
});

const taskTool = defineTool({
  name: 'task',
  description: 'Gives a task to a sub-agent.',
  input: z.object({ prompt: z.string() }),
  prepare: async () => refused('Sub-agents are not available yet: the task was not started.'),
});

export const SCRIPT_TOOLS: readonly Tool[] = [...LOOP_TOOLS, askTool, taskTool];
