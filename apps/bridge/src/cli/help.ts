/** The end of a command's help: what it looks like in use. */
export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((text) => `  ${text}`).join('\n')}\n`;
