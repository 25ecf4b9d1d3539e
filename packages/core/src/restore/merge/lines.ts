/** Texts as lines, each with its end; a last line without one stays without. */

export const linesOf = (text: string): readonly string[] => {
  const lines = text.split(/(?<=\n)/);
  return lines.length === 1 && lines[0] === '' ? [] : lines;
};

export type LineEnds = 'lf' | 'crlf' | 'mixed' | 'none';

export const lineEndsOf = (text: string): LineEnds => {
  const all = text.split('\n').length - 1;
  const crlf = text.split('\r\n').length - 1;
  if (all === 0) return 'none';
  if (crlf === 0) return 'lf';
  return crlf === all ? 'crlf' : 'mixed';
};

export const toLf = (text: string): string => text.replaceAll('\r\n', '\n');

export const withLineEnds = (text: string, ends: LineEnds): string =>
  ends === 'crlf' ? text.replaceAll('\n', '\r\n') : text;
