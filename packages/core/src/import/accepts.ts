/** Whether the first characters of a file look like a format: some whole line of them is an object that fits. */

import type { JsonObject } from './json.ts';
import { parseLine } from './json-lines.ts';

const MAX_LINES = 40;

/** A first line that is longer than `head` cannot be parsed: then `otherwise` looks at the characters themselves. */
export const someLine = (
  head: string,
  fits: (object: JsonObject) => boolean,
  otherwise: (start: string) => boolean = () => false,
): boolean => {
  const lines = head.split('\n', MAX_LINES);
  if (lines.length === 1 && head.length >= 4096) return otherwise(head);
  for (const [index, line] of lines.entries()) {
    if (line.length > 0 && parseLine(line, index + 1).objects.some(fits)) return true;
  }
  return lines.length < MAX_LINES && otherwise(lines.at(-1) ?? '');
};
