/** The tree store of this process, or why there is none. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../platform/clock.ts';
import type { Git } from '../platform/git.ts';
import { newName } from '../platform/ids.ts';
import type { PathEnvironment } from '../platform/paths.ts';
import { realPathIfThere, resolveConfigHome } from '../platform/paths.ts';
import type { TreeAccess } from '../snapshots/tree-access.ts';
import { openTreeStore } from '../snapshots/trees/open-tree-store.ts';

/** A larger file is left out of captures, and named: hashing it would hold up every command of an agent. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;
/** Below this a full disk is near: what is left is for the user's work and the sessions. */
const MIN_FREE_BYTES = 256 * 1024 * 1024;
/** How often what the watchers believe is compared with a full look. */
const AUDIT_MS = 10 * 60_000;

export interface TreesRequest {
  readonly git: Git | null;
  readonly paths: PathEnvironment;
  /** Real paths of the data and config directories. */
  readonly own: readonly string[];
  readonly dataDir: string;
  /** A bridge watches folders between turns; a command that ends soon does not. */
  readonly watch: boolean;
  readonly onFault: (error: unknown) => void;
  /** What works less well in a folder, once for each. */
  readonly notice: (text: string) => void;
  readonly failpoint?: ((name: string) => void) | undefined;
}

export const openTrees = async (stack: AsyncDisposableStack, request: TreesRequest): Promise<TreeAccess> => {
  const { git, paths, own, dataDir, watch, onFault, notice, failpoint } = request;
  if (git === null) return { kind: 'none', reason: NO_GIT };
  const home = (await realPathIfThere(paths.home)) ?? paths.home;
  const store = openTreeStore({
    git,
    nowMs: systemClock.nowMs,
    newName,
    watch,
    maxFileBytes: MAX_FILE_BYTES,
    minFreeBytes: MIN_FREE_BYTES,
    onFault,
    notice,
    failpoint,
    reposDir: join(dataDir, 'snapshots', 'repos'),
    place: { home, configHome: resolveConfigHome(paths), tempDirs: await tempDirs() },
    own,
  });
  stack.defer(() => store.close());
  if (watch) {
    const audit = setInterval(() => store.audit().catch(onFault), AUDIT_MS);
    audit.unref();
    stack.defer(() => clearInterval(audit));
  }
  return { kind: 'trees', store };
};

const NO_GIT = 'git was not found on PATH: what commands changed outside the write gate cannot be undone.';

const tempDirs = async (): Promise<readonly string[]> => {
  const found = await Promise.all([tmpdir(), '/tmp', '/var/tmp'].map(realPathIfThere));
  return found.filter((path) => path !== null);
};
