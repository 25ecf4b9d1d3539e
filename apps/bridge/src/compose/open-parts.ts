/** Opens every capability of one process, in the order in which they need each other, and closes them in reverse. */

import { join } from 'node:path';
import { readers } from '@skein/core/import/readers';
import { createPermissionDesk } from '../agents/permission-desk.ts';
import { createRunningTurns } from '../agents/running-turns.ts';
import type { Environment } from '../config.ts';
import { createEventHub } from '../events/hub.ts';
import { createJobs } from '../events/jobs.ts';
import { createRecover } from '../flows/recover.ts';
import { openHistory } from '../history/store.ts';
import { openVault } from '../history/vault.ts';
import { systemClock } from '../platform/clock.ts';
import { findGit } from '../platform/git.ts';
import { type ProcessIdentity, readProcessIdentity } from '../platform/host.ts';
import { newName, newRecordId } from '../platform/ids.ts';
import { lockHolder } from '../platform/lock.ts';
import { type FileLog, isLogLevel, openLog } from '../platform/log.ts';
import { realPathOfFuture, resolveConfigDir, resolveDataDir } from '../platform/paths.ts';
import { openProcessHost } from '../platform/process-group.ts';
import { openPageState } from '../settings/page-state.ts';
import { openQueues } from '../settings/queues.ts';
import { openSettings, type SettingsStore } from '../settings/settings.ts';
import { createWaypoints } from '../settings/waypoints.ts';
import { openSnapshotStore } from '../snapshots/store.ts';
import type { TreeAccess } from '../snapshots/tree-access.ts';
import { type DataDir, leasePath, openDataDir } from '../strands/data-dir.ts';
import { openStrandStore } from '../strands/store.ts';
import { createWriterPool, type WriterPool } from '../strands/writer-pool.ts';
import { createAnnouncements } from './announcements.ts';
import { historyPlaces } from './history-sources.ts';
import { openAll } from './open-all.ts';
import { openDrivers } from './open-drivers.ts';
import { openTrees } from './open-trees.ts';
import { openUpkeep } from './open-upkeep.ts';
import type { Parts } from './parts.ts';
import type { Place } from './place.ts';
import { scheduleHistory } from './schedule-history.ts';
import { createSessionRules } from './session-rules.ts';
import { sweepOldTemps } from './sweep-temps.ts';
import { openIndex } from './wire-search.ts';

export interface OpenedParts {
  readonly parts: Parts;
  readonly data: DataDir;
  readonly process: ProcessIdentity;
  readonly log: FileLog;
  /** In reverse order; one that cannot be closed well does not keep the others from it. */
  close(): Promise<void>;
}

/** A writer that nobody uses keeps its lease this long; a CLI process gives it back with its end. */
const WRITER_IDLE_MS = 15_000;

/** Faults: `read_only` (network file system), `incompatible` (newer data), `unreadable`, `io`. */
export const openParts = async (
  environment: Environment,
  place: Place,
  as: 'bridge' | 'cli',
): Promise<OpenedParts> => {
  const base = await openBase(environment);
  const onFault = (error: unknown): void => base.log.error('Closing after a failed start', { error });
  return openAll((stack) => openOn(base, stack, { environment, place, as }), onFault);
};

const openOn = async (
  base: Base,
  stack: AsyncDisposableStack,
  { environment, place, as }: { environment: Environment; place: Place; as: 'bridge' | 'cli' },
): Promise<OpenedParts> => {
  const { data, configDir, identity, log, settings } = base;
  const git = await findGit(environment.path ?? '');
  const onFault = (error: unknown): void => log.error('A fault in the background', { error });
  const trees = await openTrees(stack, {
    git,
    paths: environment.paths,
    own: [data.root, configDir],
    dataDir: data.root,
    watch: as === 'bridge',
    onFault,
    notice: (text) => log.warn(text),
    failpoint: environment.failpoint === undefined ? undefined : crashAt(environment.failpoint),
  });
  const sessions = await openSessions(base, environment, trees);
  const { hub, store, pool } = sessions;
  stack.defer(() => store.close());
  const { nowIso } = systemClock;
  const processes = openProcessHost({
    watchdogScript: place.watchdogScript,
    nodePath: process.execPath,
    registryDir: join(data.state, 'children'),
    process: identity,
    env: environment.inherited,
    onFault: (error) => sessions.announcements.fault(null, error),
  });
  stack.use(processes);
  stack.defer(() => pool.close());
  const parts: Parts = {
    ...sessions,
    environment,
    dataDir: data.root,
    configDir,
    git,
    history: await openHistoryOf(data, environment, settings),
    index: openIndex(stack, data.root, log),
    settings,
    page: await openPageState({ path: join(data.state, 'page.json'), nowIso }),
    queues: await openQueues({ dir: join(data.state, 'queues'), nowIso, newName }),
    waypoints: createWaypoints({ path: join(data.state, 'waypoints.json'), nowIso }),
    jobs: createJobs({ newId: newName, publish: (job) => hub.global({ type: 'job', job }) }),
    desk: createPermissionDesk(),
    processes,
    drivers: openDrivers({ settings, configDir, git }),
    rules: createSessionRules(settings),
    upkeep: openUpkeep({
      ...sessions,
      data,
      identity,
      settings,
      trees,
      onFault: (error) => sessions.announcements.fault(null, error),
    }),
    hideInLog: log.addSecret,
    startedAt: nowIso(),
  };
  for (const path of [parts.page.aside, ...parts.queues.aside])
    if (path !== null) parts.announcements.damaged(path);
  if (as === 'bridge') {
    for (const end of [watchStrands(parts), watchHistory(parts)]) stack.defer(end);
    await sweepOldTemps({ data, configDir, process: identity, log });
  }
  return { parts, data, process: identity, log, close: () => stack.disposeAsync() };
};

const openHistoryOf = (data: DataDir, environment: Environment, settings: SettingsStore) =>
  openHistory({
    catalogueFile: join(data.root, 'history.json'),
    readers,
    places: historyPlaces(environment, settings, new Set(readers.keys())),
    unfoldedDir: join(data.state, 'unfolded'),
    vault: openVault({ dir: join(data.root, 'vault'), scratch: join(data.state, 'vault-open') }),
    keeps: async () => (await settings.config()).config.history?.vault === true,
  });

interface Base {
  readonly data: DataDir;
  readonly configDir: string;
  readonly identity: ProcessIdentity;
  readonly log: FileLog;
  readonly settings: SettingsStore;
}

/** Directories, who we are, the log with its secrets, the settings. */
const openBase = async (environment: Environment): Promise<Base> => {
  const data = await openDataDir(await realPathOfFuture(resolveDataDir(environment.paths)));
  const configDir = await realPathOfFuture(resolveConfigDir(environment.paths));
  const identity = readProcessIdentity({ hostIdFile: join(configDir, 'host-id') });
  const level = environment.logLevel;
  const log = openLog({
    dir: data.logs,
    level: level !== undefined && isLogLevel(level) ? level : 'info',
    nowIso: systemClock.nowIso,
    onFailure: (message) => process.emitWarning(message),
  });
  const settings = openSettings({ configDir, dataDir: data.root, environment: environment.providers });
  for (const secret of await settings.secrets()) log.addSecret(secret);
  return { data, configDir, identity, log, settings };
};

type Sessions = Pick<Parts, 'hub' | 'running' | 'store' | 'pool' | 'snapshots' | 'announcements'>;

/** Everything that holds or tells of sessions. */
const openSessions = async (
  { data, identity, log }: Base,
  environment: Environment,
  trees: TreeAccess,
): Promise<Sessions> => {
  const hub = createEventHub();
  const running = createRunningTurns();
  const onFault = (error: unknown): void => log.error('A fault in the background', { error });
  const notice = (message: string): void => log.warn(message);
  const common = { process: identity, clock: systemClock };
  const store = await openStrandStore({ ...common, dirs: data, notice, onFault });
  let pool: WriterPool | undefined;
  const announcements = createAnnouncements({
    hub,
    store,
    peek: (id) => pool?.peek(id),
    running,
    heldElsewhere: (id) => lockHolder(leasePath(data, id), identity) !== null,
    newId: newName,
    log: onFault,
  });
  const { failpoint } = environment;
  const snapshots = openSnapshotStore({
    ...common,
    dataDir: data.root,
    newRecordId,
    newName,
    trees,
    onFault,
    ...(failpoint === undefined ? {} : { failpoint: crashAt(failpoint) }),
  });
  const repair = createRecover({ snapshots, report: announcements.recovery, grew: hub.strandGrew });
  pool = createWriterPool({ store, repair, idleMs: WRITER_IDLE_MS, onFault: announcements.fault });
  return { hub, running, store, pool, snapshots, announcements };
};

const watchHistory = ({ history, settings, announcements }: Parts): (() => Promise<void>) =>
  scheduleHistory({
    history,
    isOn: async () => (await settings.config()).config.history?.vault === true,
    onFault: (error) => announcements.fault(null, error),
  });

/** Strands that another process writes (a CLI run without us) show up like our own. */
const watchStrands = ({ store, hub, announcements }: Parts): (() => void) =>
  store.watch(({ id, kind }) => {
    if (kind === 'changed') hub.strandGrew(id);
    announcements.strand(id);
  });

/** For crash tests: the process ends at the named point, as a power cut would have it. */
const crashAt =
  (wanted: string) =>
  (name: string): void => {
    if (name === wanted) process.kill(process.pid, 'SIGKILL');
  };
