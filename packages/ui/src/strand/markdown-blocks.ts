/**
 * Cuts a markdown text into top-level blocks, so that a text that streams re-renders only its last block.
 * Cuts are made only where a blank line surely ends a block: never inside a fence or a list.
 */
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_START = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const INDENTED = /^(?: {2,}|\t)/;
/** Links and footnotes that are defined elsewhere: such a text is one block. */
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:/m;

export const markdownBlocks = (text: string): readonly string[] => {
  if (text.length < 400 || DEFINITION.test(text)) return [text];
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  let list = false;
  let blank = false;
  for (const line of text.split('\n')) {
    if (
      fence === null &&
      blank &&
      line.trim() !== '' &&
      !(list && (LIST_START.test(line) || INDENTED.test(line)))
    ) {
      blocks.push(lines.join('\n'));
      lines = [];
    }
    if (lines.length === 0) list = LIST_START.test(line);
    fence = fenceAfter(fence, line);
    blank = fence === null && line.trim() === '';
    lines.push(line);
  }
  if (lines.length > 0) blocks.push(lines.join('\n'));
  return blocks;
};

/** The fence that is open after this line, or null. A fence closes with at least as many of its own marks. */
function fenceAfter(open: string | null, line: string): string | null {
  const marks = FENCE.exec(line)?.[1];
  if (marks === undefined) return open;
  if (open === null) return marks;
  const closes = marks[0] === open[0] && marks.length >= open.length && line.trim() === marks;
  return closes ? null : open;
}
