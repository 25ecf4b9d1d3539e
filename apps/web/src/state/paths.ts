/** Folders as a person reads them. */

/** `~/acme/api`. */
export function foldHome(path: string, home: string): string {
  if (home === '' || path === home) return path === home && home !== '' ? '~' : path;
  const separator = home.includes('\\') ? '\\' : '/';
  return path.startsWith(`${home}${separator}`) ? `~${path.slice(home.length)}` : path;
}

export function folderName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}
