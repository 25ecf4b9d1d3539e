/** What counts as a prompt: the start of a turn and a place to branch (DESIGN section 4). */
import { contentHead, type Part } from '../record/parts.ts';
import type { RecordOf, StrandRecord } from '../record/schema.ts';

export type PromptRecord = RecordOf<'message'>;

/**
 * Role user, by a person, a script or a guest, not said into a running turn, with text or an image, and no
 * tool result. A message without `by` comes from an import and counts as the user's.
 */
export const isPrompt = (record: StrandRecord): record is PromptRecord => {
  if (record.kind !== 'message' || record.role !== 'user') return false;
  if (record.by === 'bridge' || record.steer === true) return false;
  if (record.parts.some((part) => part.type === 'tool_result')) return false;
  return record.parts.some(isSaid);
};

/** The prompts of a path, oldest first: turn 1, turn 2, … */
export const promptsOf = (path: readonly StrandRecord[]): readonly PromptRecord[] => path.filter(isPrompt);

/** The text of a prompt as the composer takes it back; images and notes are not part of it. */
export const promptText = (prompt: PromptRecord): string =>
  prompt.parts.flatMap((part) => (part.type === 'text' ? [contentHead(part.text)] : [])).join('\n');

function isSaid(part: Part): boolean {
  if (part.type === 'image') return true;
  return part.type === 'text' && contentHead(part.text).trim() !== '';
}
