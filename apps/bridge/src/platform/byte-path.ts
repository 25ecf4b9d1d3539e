/**
 * Names of files as the system has them: bytes, carried as a string with one character a byte ('latin1' of Node).
 * Two names are the same file exactly when the strings are equal, and strings compare as git sorts them; nothing is
 * lost for names that are not UTF-8 (TRAPS V8, A34). A path has no slash at either end; the root itself is ''.
 */
declare const brand: unique symbol;
export type BytePath = string & { readonly [brand]: 'BytePath' };

export const ROOT_PATH = '' as BytePath;

/** For text that is known to hold bytes: a name of a folder read as latin1, a path of git's output. */
export const asBytePath = (bytes: string): BytePath => bytes as BytePath;

export const bytePathOf = (text: string): BytePath =>
  Buffer.from(text, 'utf8').toString('latin1') as BytePath;

export const bytesOf = (path: BytePath): Buffer => Buffer.from(path, 'latin1');

/** Null when the bytes are no UTF-8. */
export const textOf = (path: BytePath): string | null => {
  if (isAscii(path)) return path;
  const bytes = Buffer.from(path, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
};

export const joinPath = (folder: BytePath, name: BytePath): BytePath =>
  folder === '' ? name : (`${folder}/${name}` as BytePath);

export const parentPath = (path: BytePath): BytePath =>
  path.slice(0, Math.max(0, path.lastIndexOf('/'))) as BytePath;

export const lastName = (path: BytePath): BytePath => path.slice(path.lastIndexOf('/') + 1) as BytePath;

/** What `node:fs` takes. `root` is an absolute path in the same form. */
export const fsPathOf = (root: BytePath, path: BytePath): string | Buffer => {
  const whole = path === '' ? root : `${root}/${path}`;
  return isAscii(whole) ? whole : Buffer.from(whole, 'latin1');
};

const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
};
