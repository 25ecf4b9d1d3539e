/** A whole strand file in memory as lines. For tests: the bridge streams. */
import { decodeLine } from '../record/line.ts';
import type { StrandLine } from '../strand/state.ts';

export const decodeFile = (bytes: Uint8Array): StrandLine[] => {
  const lines: StrandLine[] = [];
  let start = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    lines.push({ seq: lines.length + 1, decoded: decodeLine(bytes.subarray(start, end)) });
    start = end + 1;
  }
  return lines;
};
