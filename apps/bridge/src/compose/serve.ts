/**
 * The listening bridge: one per data directory. Starts in an order in which nothing is answered before what a
 * crash left is settled. Told to stop it begins nothing more, interrupts what runs and waits for it, but not longer
 * than five seconds in all, a disk or a process that hangs in the kernel aside: a turn that is not over by then is
 * closed at the next start. A step that fails does not keep the later ones from being taken.
 */
import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { PROTOCOL_VERSION } from '@skein/core/protocol/version';
import { z } from 'zod';
import type { Flows } from '../api/flows.ts';
import { appRouter } from '../api/router.ts';
import type { StartedBridge } from '../cli/deps.ts';
import type { Environment } from '../config.ts';
import { startListener } from '../http/listener.ts';
import { systemClock } from '../platform/clock.ts';
import { writeFileAtomic } from '../platform/files.ts';
import { newName, newSecret } from '../platform/ids.ts';
import { readJsonIfThere } from '../platform/json-files.ts';
import { type HeldLock, takeLock } from '../platform/lock.ts';
import { listWebFiles } from '../platform/web-files.ts';
import { createAccess } from '../settings/access.ts';
import { type BrowserKeys, openBrowserKeys } from '../settings/browser-keys.ts';
import { createOneTimeCodes } from '../settings/one-time-codes.ts';
import { openRuntime } from '../settings/runtime.ts';
import { openAll } from './open-all.ts';
import { type OpenedParts, openParts } from './open-parts.ts';
import type { Place } from './place.ts';
import { publishActions } from './publish-actions.ts';
import { scheduleUpkeep, type UpkeepSchedule } from './schedule-upkeep.ts';
import { settleCrashes } from './settle-crashes.ts';
import { wireFlows } from './wire-flows.ts';
import { stateReader } from './wire-strands.ts';

/**
 * Counted from the word to stop. A command that ignores TERM is killed two seconds after its turn was interrupted,
 * so its turn can still be recorded; what comes after the listener only writes and closes files.
 */
const UPKEEP_ENDS_MS = 1000;
const TURNS_END_MS = 3500;
const LISTENER_ENDS_MS = 4500;
const portFileSchema = z.object({ port: z.number().int().min(1).max(65_535) });

export interface ServeOptions {
  readonly environment: Environment;
  readonly place: Place;
  /** Null: the port of last time, else the default. */
  readonly port: number | null;
  /** Registers what a signal does; returns the removal. */
  readonly onSignal: (stop: () => void) => () => void;
}

/** Resolves when it listens. Faults: `held` (another bridge has the data directory; data.holder), `read_only`, `io`. */
export const serve = async (options: ServeOptions): Promise<StartedBridge> => {
  const opened = await openParts(options.environment, options.place, 'bridge');
  const onFault = (error: unknown): void => opened.log.error('Closing after a failed start', { error });
  return openAll(async (stack) => {
    // First in, last out: nobody else may have the data directory before all is closed.
    const locks = stack.use(new DisposableStack());
    stack.defer(opened.close);
    const lock = takeBridgeLock(opened);
    locks.defer(lock.release);
    return listen(opened, stack, options);
  }, onFault);
};

const takeBridgeLock = ({ process: identity, data }: OpenedParts): HeldLock => {
  const outcome = takeLock(join(data.state, 'bridge.lock'), { process: identity, purpose: 'bridge' });
  if (outcome.kind === 'locked') return outcome.lock;
  throw new BridgeError('held', `Another bridge has this data directory: ${outcome.holder}.`, {
    data: { holder: outcome.holder, dataDir: data.root },
  });
};

const listen = async (
  opened: OpenedParts,
  stack: AsyncDisposableStack,
  options: ServeOptions,
): Promise<StartedBridge> => {
  const { parts, data, log } = opened;
  const { nowMs, nowIso } = systemClock;
  const countdown = createCountdown(nowMs);
  const runtime = await openRuntime({ dataDir: data.root, host: opened.process.host, newSecret });
  log.addSecret(runtime.token);
  const keys = await openBrowserKeys({
    path: join(data.state, 'browser-keys.json'),
    nowIso,
    newSecret,
    newName,
  });
  if (keys.aside !== null) parts.announcements.damaged(keys.aside);
  stack.defer(() => keys.close());
  const codes = createOneTimeCodes({ nowMs, newSecret });
  const access = createAccess({ token: runtime.token, keys, codes });
  const stopping = Promise.withResolvers<void>();
  let url = '';
  const openingLink = (): { url: string } => ({ url: `${url}/#code=${codes.issue()}` });
  const flows = await wireFlows(parts, { openingLink, ...keyFlows(keys), stop: stopping.resolve });
  await settleCrashes(opened);
  stack.defer(await publish(opened, flows, runtime.dir));

  const portFile = join(data.state, 'port.json');
  const remembered = portFileSchema.safeParse(await readJsonIfThere(portFile));
  const { config } = await parts.settings.config();
  const listener = await startListener({
    port: options.port,
    preferredPort: remembered.success ? remembered.data.port : (config.port ?? null),
    router: appRouter,
    flows,
    access,
    log,
    web: await listWebFiles(options.place.webDir),
    clock: systemClock,
  });
  ({ url } = listener);
  stack.defer(() => listener.close(countdown.left(LISTENER_ENDS_MS)));
  stack.defer(() => interruptAll(opened, countdown.left(TURNS_END_MS)));
  stack.defer(() => runtime.withdraw());
  stack.defer(() => parts.running.stop());
  const upkeep = startUpkeep(opened);
  stack.defer(() => upkeep.ended(countdown.left(UPKEEP_ENDS_MS)));
  stack.defer(() => upkeep.stop());
  if (options.port === null) await writeFileAtomic(portFile, `${JSON.stringify({ port: listener.port })}\n`);
  await runtime.announce({
    url,
    pid: process.pid,
    version: options.environment.version,
    protocol: PROTOCOL_VERSION,
    startedAt: parts.startedAt,
  });
  log.info('The bridge listens', { url, version: options.environment.version });
  const removeSignal = options.onSignal(stopping.resolve);
  const done = stopping.promise.then(async () => {
    countdown.start();
    try {
      await stack.disposeAsync();
    } finally {
      removeSignal();
    }
  });
  return { url, pid: process.pid, openingLink: openingLink().url, done };
};

const publish = (
  { parts, process: identity, log }: OpenedParts,
  flows: Flows,
  runtimeDir: string,
): Promise<() => Promise<void>> =>
  publishActions({
    runtimeDir,
    process: identity,
    hub: parts.hub,
    state: stateReader(parts),
    actions: flows.restore.actions,
    log,
  });

const startUpkeep = ({ parts: { upkeep, announcements }, log }: OpenedParts): UpkeepSchedule =>
  scheduleUpkeep({
    upkeep,
    log,
    onFault: (error) => announcements.fault(null, error),
    notice: (message) => announcements.notice({ level: 'info', message, strand: null }),
  });

const keyFlows = (keys: BrowserKeys) => ({
  browserKeys: async ({ current }: { readonly current: string | null }) =>
    keys.list().map((key) => ({ ...key, current: key.id === current })),
  revokeKey: async ({ id }: { readonly id: string }) => ({ revoked: await keys.revoke(id) }),
});

/** Each running turn ends as if its user had stopped it; one that does not end in time is closed at the next start. */
const interruptAll = async ({ parts, log }: OpenedParts, withinMs: number): Promise<void> => {
  const turns = parts.running.all();
  for (const turn of turns) turn.controller.abort();
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), withinMs);
  const outcome = await Promise.race([Promise.all(turns.map(({ settled }) => settled)), late]);
  clearTimeout(timer);
  if (outcome === 'late') log.warn('A turn did not end in time and will be closed at the next start');
};

/** One clock for all steps of the stop: what one of them leaves the next one has, and no more. */
const createCountdown = (nowMs: () => number) => {
  let startedMs: number | null = null;
  const start = (): number => {
    startedMs ??= nowMs();
    return startedMs;
  };
  return {
    start,
    /** How long until `endMs` after the start; starts it when nobody did. */
    left: (endMs: number): number => Math.min(endMs, Math.max(0, start() + endMs - nowMs())),
  };
};
