/**
 * How the file tools reach one file: always through the write gate, which refuses links, FIFOs and
 * protected places. Keeps the rule that a file changes only as the agent last saw it.
 */
import { decodeUtf8 } from '@skein/core/text/utf8';
import type { GateResult } from '../ports.ts';
import { failed, succeeded, type ToolContext, type ToolOutcome } from './tool.ts';

export type WorkspaceFile =
  | { readonly kind: 'file'; readonly path: string; readonly bytes: Uint8Array; readonly sha256: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly outcome: ToolOutcome };

export const openFile = async (context: ToolContext, path: string): Promise<WorkspaceFile> => {
  const read = await context.gate.read(path);
  if (read.kind === 'file') return read;
  return read.reason === 'not_found'
    ? { kind: 'absent' }
    : { kind: 'refused', outcome: failed(read.message) };
};

/** Why the file may not be changed now, or null. */
export const staleness = (
  context: ToolContext,
  file: Extract<WorkspaceFile, { kind: 'file' }>,
): ToolOutcome | null => {
  const seen = context.reads.get(file.path);
  if (seen === undefined) {
    return context.requireRead
      ? failed(`Read ${file.path} first: it exists and you have not seen it.`)
      : null;
  }
  if (seen === file.sha256) return null;
  return failed(
    `${file.path} changed on disk since you last read it. Read it again, then repeat the change.`,
  );
};

/** The text of a file that a tool can edit, or null for binary content. Keeps a byte order mark. */
export const editableText = (bytes: Uint8Array): string | null =>
  bytes.includes(0) ? null : decodeUtf8(bytes);

/** Notes what a write left, so that the agent may go on changing what it wrote itself. */
export const reportGate = (context: ToolContext, result: GateResult, said: string): ToolOutcome => {
  if (result.kind === 'refused') return failed(result.message);
  if (result.post.type === 'file') context.reads.note(result.path, result.post.sha256);
  else context.reads.forget(result.path);
  return succeeded(said);
};

export const countLines = (text: string): number =>
  text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
