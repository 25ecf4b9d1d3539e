/** A path as rules see it. Only text: links are the write gate's business. */

/**
 * `path` from the workspace root, `/`-separated, without `.` and `..`; null when it leads outside. `root`
 * and `cwd` are absolute; `path` is absolute or starts at `cwd`.
 */
export const relativeTo = (
  path: string,
  { root, cwd }: { readonly root: string; readonly cwd: string },
): string | null => {
  const from = segmentsOf(root, []);
  const to = segmentsOf(path, isAbsolute(path) ? [] : segmentsOf(cwd, []));
  const isInside = from.length < to.length && from.every((segment, index) => segment === to[index]);
  return isInside ? to.slice(from.length).join('/') : null;
};

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('\\') || /^[A-Za-z]:[\\/]/.test(path);
}

/** Back slashes separate only in paths that are of Windows beyond doubt: elsewhere they are part of names. */
function segmentsOf(path: string, base: readonly string[]): readonly string[] {
  const isWindows = /^[A-Za-z]:/.test(path) || path.startsWith('\\\\') || /^[A-Za-z]:$/.test(base[0] ?? '');
  const segments = [...base];
  for (const segment of path.split(isWindows ? /[\\/]/ : '/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}
