/** Glob patterns with the meaning of `.gitignore` lines (`*.ts` matches at any depth), plus `{a,b}`. */
import ignore from 'ignore';

const MAX_ALTERNATIVES = 256;

/** Takes `/`-separated paths relative to the folder that is searched. */
export const globMatcher = (pattern: string): ((path: string) => boolean) => {
  const rules = ignore({ ignoreCase: false, allowRelativePaths: true });
  for (const alternative of expandBraces(pattern.replace(/^\.\//, ''))) {
    // A leading `!` or `#` has a meaning of its own in a list of rules, not in a pattern.
    rules.add(alternative.replace(/^[!#]/, '\\$&'));
  }
  return (path) => rules.ignores(path);
};

/** `a.{ts,tsx}` becomes `a.ts` and `a.tsx`; braces may nest. Beyond the cap the rest stays as it is. */
export const expandBraces = (pattern: string): readonly string[] => {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // The innermost group first: it holds no other brace.
    const group = /\{([^{}]*,[^{}]*)\}/.exec(next);
    if (group === null || done.length + open.length > MAX_ALTERNATIVES) {
      done.push(next);
      continue;
    }
    const [whole, inner = ''] = group;
    const [before, after] = [next.slice(0, group.index), next.slice(group.index + whole.length)];
    open.push(...inner.split(',').map((choice) => `${before}${choice}${after}`));
  }
  return [...new Set(done)].reverse();
};
