/** Writes statements of the script language (DESIGN section 6), quoting whatever has more than one line. */

/** JSON in which no reader can mistake an arrow in code for the one between OLD and NEW. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('=>', '=\\u003e');

export const say = (text: string): string => `say ${quoted(text)}`;
export const think = (text: string): string => `think ${quoted(text)}`;
export const read = (path: string): string => `read ${path}`;
export const write = (path: string, text: string): string => `write ${path} ${quoted(text)}`;
export const edit = (path: string, before: string, after: string): string =>
  `edit ${path} ${quoted(before)} => ${quoted(after)}`;
export const remove = (path: string): string => `rm ${path}`;
export const shell = (command: string): string => `sh ${command}`;
export const pause = (ms: number): string => `sleep ${ms}`;

/** One prompt: the first line is plain words, which the script agent says; it titles the turn. */
export const turn = (title: string, ...statements: readonly string[]): string =>
  [title, ...statements].join('\n');
