/** A command as one line for people, and as words for a process. Quotes group; nothing is expanded. */

export function argvOf(line: string): string[] {
  const words = line.match(/"(?:[^"\\]|\\.)*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => {
    if (word.length > 1 && word.startsWith("'") && word.endsWith("'")) return word.slice(1, -1);
    if (word.length > 1 && word.startsWith('"') && word.endsWith('"')) {
      return word.slice(1, -1).replaceAll(/\\(.)/g, '$1');
    }
    return word;
  });
}

export function commandLineOf(argv: readonly string[]): string {
  return argv
    .map((word) => (/^[^\s"']+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`))
    .join(' ');
}
