/** Where things lie. Values of the environment come in as arguments: config.ts alone reads it. */
import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { errnoOf, ioFault } from './io-fault.ts';

export interface PathEnvironment {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** SKEIN_DATA_DIR */
  readonly skeinDataDir?: string | undefined;
  /** SKEIN_CONFIG_DIR */
  readonly skeinConfigDir?: string | undefined;
  /** XDG_DATA_HOME; ignored unless absolute, as its specification says. */
  readonly xdgDataHome?: string | undefined;
  /** XDG_CONFIG_HOME */
  readonly xdgConfigHome?: string | undefined;
  /** LOCALAPPDATA */
  readonly localAppData?: string | undefined;
}

const set = (value: string | undefined): value is string => value !== undefined && value !== '';

/** The data directory (DESIGN section 3). A relative SKEIN_DATA_DIR must be resolved by the caller. */
export const resolveDataDir = (env: PathEnvironment): string => {
  if (set(env.skeinDataDir)) return env.skeinDataDir;
  if (set(env.xdgDataHome) && isAbsolute(env.xdgDataHome)) return join(env.xdgDataHome, 'skein');
  if (env.platform === 'darwin') return join(env.home, 'Library', 'Application Support', 'skein');
  if (env.platform === 'win32' && set(env.localAppData)) return join(env.localAppData, 'skein');
  return join(env.home, '.local', 'share', 'skein');
};

export const resolveConfigDir = (env: PathEnvironment): string =>
  set(env.skeinConfigDir) ? env.skeinConfigDir : join(resolveConfigHome(env), 'skein');

/** Where programs keep their configuration, git among them. */
export const resolveConfigHome = (env: PathEnvironment): string =>
  set(env.xdgConfigHome) && isAbsolute(env.xdgConfigHome) ? env.xdgConfigHome : join(env.home, '.config');

/** `<basename>-<16 hex>` of a real path: two folders never share one, a linked folder has its target's. */
export const slugOf = (realPath: string): string => {
  const hash = createHash('sha256').update(realPath).digest('hex').slice(0, 16);
  return `${cutToBytes(basename(realPath) || 'root', 200)}-${hash}`;
};

/** At most so many UTF-8 bytes, never half a character. */
const cutToBytes = (text: string, maxBytes: number): string => {
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > maxBytes) break;
    kept += character;
  }
  return kept;
};

/** The path with every link resolved; null when it does not exist. */
export const realPathIfThere = async (path: string): Promise<string | null> => {
  try {
    return await realpath(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return null;
    throw ioFault(error, 'Resolving a path', path);
  }
};

/** Like realpath for something that need not exist yet: links of the part that does are resolved. */
export const realPathOfFuture = async (path: string): Promise<string> => {
  const real = await realPathIfThere(path);
  if (real !== null || dirname(path) === path) return real ?? path;
  return join(await realPathOfFuture(dirname(path)), basename(path));
};

/** Whether `path` is `folder` or lies in it. Both real and absolute: no prefix of a name counts. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

const NETWORK_TYPES =
  /^(nfs\d?|cifs|smb\d?|smbfs|9p|afs|afpfs|ceph|coda|davfs|webdav|glusterfs|lustre|beegfs|gpfs|ncpfs|ocfs2|prl_fs|vboxsf|vmhgfs|fuse\.(sshfs|s3fs|rclone|glusterfs|davfs2?|gcsfuse|goofys|vmhgfs-fuse|ceph|curlftpfs|nfs|smbnetfs))$/;

/** The type of the network file system a path lies on, null when it is local. Appends are not atomic there. */
export const networkFileSystem = async (path: string): Promise<string | null> => {
  if (path.startsWith('\\\\')) return 'smb';
  const real = await realPathOfFuture(path);
  try {
    return networkTypeIn(await readFile('/proc/self/mountinfo', 'utf8'), real);
  } catch (error) {
    // Only Linux has the table. Elsewhere the docs say that the folder must be local.
    if (errnoOf(error) === 'ENOENT') return null;
    throw ioFault(error, 'Reading the mount table', '/proc/self/mountinfo');
  }
};

/** The same from the text of a mount table (proc_pid_mountinfo(5)); the deepest and newest mount counts. */
export const networkTypeIn = (mountinfo: string, real: string): string | null => {
  let best = { point: '', type: '' };
  for (const line of mountinfo.split('\n')) {
    const [left, right] = line.split(' - ');
    const point = left
      ?.split(' ')[4]
      ?.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
    const type = right?.split(' ')[0];
    if (point === undefined || type === undefined || !isInside(real, point)) continue;
    if (point.length >= best.point.length) best = { point, type };
  }
  return NETWORK_TYPES.test(best.type) ? best.type : null;
};
