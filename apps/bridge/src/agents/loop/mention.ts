/** Files that a prompt names with @: their content, read through the gate when the prompt is sent. */
import { join } from 'node:path';
import { type PathRef, showPath } from '@skein/core/record/path-ref';
import type { WriteGate } from '../ports.ts';
import { page } from '../tools/read.ts';
import type { ReadTracker } from '../tools/read-tracker.ts';
import { editableText } from '../tools/workspace-file.ts';

const MAX_LINES = 2000;

/** The numbered lines, as the read tool shows them, or a sentence why there are none. */
export const readMention = async (
  path: PathRef,
  context: { readonly root: string; readonly gate: WriteGate; readonly reads: ReadTracker },
): Promise<string> => {
  if (typeof path !== 'string') return `(the name of ${showPath(path)} is not UTF-8; use the shell)`;
  const file = await context.gate.read(join(context.root, path));
  if (file.kind === 'refused') return `(not read: ${file.message})`;
  const text = editableText(file.bytes);
  if (text === null) return `(not text, ${file.bytes.length} bytes)`;
  context.reads.note(file.path, file.sha256);
  return text === '' ? '(empty)' : page(text, 1, MAX_LINES);
};
