/**
 * Globs of file rules: `*` and `?` within a folder, `**` across folders, `\` before a character that is
 * meant as such. Brackets and braces are ordinary: they are common in file names (`app/[id]/page.tsx`).
 * Never compiled to a regular expression, so no pattern can make it slow.
 */
type Star = 'some' | 'all' | 'folders';
type Token = 'one' | Star | { readonly char: string };

const STARS: Readonly<Record<string, Token>> = { '?': 'one', '*': 'some', '**': 'all', '**/': 'folders' };

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
  // `\x` is x itself; the longest star first; anything else is one character.
  const parts = pattern.match(/\\.|\*\*\/|\*\*|./gs) ?? [];
  return parts.map((part) => STARS[part] ?? { char: part.length > 1 ? part.slice(1) : part });
}

function advance(from: ReadonlySet<number>, token: Token, path: string): Set<number> {
  if (token === 'one') return advanceOne(from, path, (char) => char !== '/');
  if (typeof token === 'object') return advanceOne(from, path, (char) => char === token.char);
  return advanceStar(from, token, path);
}

function advanceOne(
  from: ReadonlySet<number>,
  path: string,
  fits: (char: string | undefined) => boolean,
): Set<number> {
  return new Set([...from].filter((at) => at < path.length && fits(path[at])).map((at) => at + 1));
}

/** Every position from the first reachable one on, as far as the star may run. */
function advanceStar(from: ReadonlySet<number>, star: Star, path: string): Set<number> {
  const to = new Set<number>();
  let open = false;
  for (let at = 0; at <= path.length; at += 1) {
    const afterSlash = path[at - 1] === '/';
    open = from.has(at) || (open && !(star === 'some' && afterSlash));
    // `**/` ends where a folder ends, or matches nothing at all.
    if (open && (star !== 'folders' || afterSlash || from.has(at))) to.add(at);
  }
  return to;
}
