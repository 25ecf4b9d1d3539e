/** The tools of the loop, in the order in which models see them: the order is part of the cached prompt. */
import { bashTool } from './bash.ts';
import { deleteTool } from './delete.ts';
import { editTool, multiEditTool } from './edit.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { readTool } from './read.ts';
import type { Tool } from './tool.ts';
import { writeTool } from './write.ts';

export const LOOP_TOOLS: readonly Tool[] = [
  readTool,
  writeTool,
  editTool,
  multiEditTool,
  deleteTool,
  bashTool,
  grepTool,
  globTool,
];
