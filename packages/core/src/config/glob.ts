/**
 * Globs of file rules: `*` and `?` within a folder, `**` across folders, `\` before a character that is
 * meant as such. Brackets and braces are ordinary: they are common in file names (`app/[id]/page.tsx`).
 * Never compiled to a regular expression, so no pattern can make it slow.
 */
type Token = 'one' | 'some' | 'all' | 'folders' | { readonly char: string };

/** `path` is `/`-separated and relative; the pattern must match all of it. */
export const matchesGlob = (pattern: string, path: string): boolean => {
  // Position i is reachable when the tokens so far match the first i characters.
  let reachable = new Set([0]);
  for (const token of tokensOf(pattern)) {
    reachable = advance(reachable, token, path);
    if (reachable.size === 0) return false;
  }
  return reachable.has(path.length);
};

/** A pattern that matches exactly `path`. */
export const escapeGlob = (path: string): string => path.replace(/[\\*?]/g, '\\$&');

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < pattern.length; index += 1) {
    const char = pattern[index] ?? '';
    if (char === '\\' && index + 1 < pattern.length) {
      index += 1;
      tokens.push({ char: pattern[index] ?? '' });
    } else if (pattern.startsWith('**/', index)) {
      index += 2;
      tokens.push('folders');
    } else if (pattern.startsWith('**', index)) {
      index += 1;
      tokens.push('all');
    } else {
      tokens.push(char === '*' ? 'some' : char === '?' ? 'one' : { char });
    }
  }
  return tokens;
}

function advance(from: ReadonlySet<number>, token: Token, path: string): Set<number> {
  const to = new Set<number>();
  if (typeof token === 'object' || token === 'one') {
    for (const index of from) {
      const char = path[index];
      const fits = typeof token === 'object' ? char === token.char : char !== undefined && char !== '/';
      if (fits) to.add(index + 1);
    }
    return to;
  }
  // The stars: everything right of the first reachable position, as far as the star may run.
  let open = false;
  for (let index = 0; index <= path.length; index += 1) {
    if (token === 'some' && index > 0 && path[index - 1] === '/') open = false;
    if (from.has(index)) open = true;
    const stops = token !== 'folders' || from.has(index) || path[index - 1] === '/';
    if (open && stops) to.add(index);
  }
  return to;
}
