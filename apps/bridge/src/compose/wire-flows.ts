/** All flows, wired to the opened parts: what the API and the CLI call. */

import { demoPrompts } from '@skein/core/demo/session';
import { BridgeError } from '@skein/core/protocol/errors';
import { PROTOCOL_VERSION } from '@skein/core/protocol/version';
import type { Flows } from '../api/flows.ts';
import { createCleanStore } from '../flows/clean-store.ts';
import { createDiffTurn } from '../flows/diff-turn.ts';
import { createFindMentions } from '../flows/find-mentions.ts';
import { createFollowAll } from '../flows/follow-all.ts';
import { createFollowStrand } from '../flows/follow-strand.ts';
import { createListFolders } from '../flows/list-folders.ts';
import { createListOperations } from '../flows/list-operations.ts';
import { createOpenInEditor } from '../flows/open-in-editor.ts';
import { createPreviewRestore } from '../flows/preview-restore.ts';
import { createPurgeStore } from '../flows/purge-store.ts';
import { createRestore } from '../flows/restore.ts';
import { createRestoreActions } from '../flows/restore-actions.ts';
import { createRunDoctor } from '../flows/run-doctor.ts';
import { createShowFile } from '../flows/show-file.ts';
import { createStartDemo } from '../flows/start-demo.ts';
import { createStoreUsage } from '../flows/store-usage.ts';
import { newOpId } from '../platform/ids.ts';
import { probeProvider } from '../settings/probe-provider.ts';
import { makeDemoProject } from './demo-project.ts';
import { doctorChecks } from './doctor-checks.ts';
import { findEditor, launchEditor } from './editor.ts';
import { fileInside, subfolders } from './folders.ts';
import { listFiles } from './list-files.ts';
import type { Parts } from './parts.ts';
import { isForeign, openForeign, wireHistory } from './wire-history.ts';
import { wirePast } from './wire-past.ts';
import { wireSearch } from './wire-search.ts';
import { stateReader, wireStrands } from './wire-strands.ts';
import { type WiredTurns, wireTurns } from './wire-turns.ts';

/** What only a listening bridge has; a CLI process without one answers in words. */
export interface BridgeControl {
  readonly openingLink: () => { url: string };
  readonly browserKeys: Flows['settings']['browserKeys'];
  readonly revokeKey: Flows['settings']['revokeKey'];
  readonly stop: () => void;
}

export const wireFlows = async (parts: Parts, control: BridgeControl | null): Promise<Flows> => {
  const wired = await wireTurns(parts);
  const strands = wireStrands(parts);
  return {
    strands,
    turns: wired.turns,
    restore: wireRestore(parts),
    history: wireHistory(parts),
    search: wireSearch(parts, control !== null),
    store: wireStore(parts),
    agents: { list: () => Promise.all(parts.drivers.map((driver) => driver.info())) },
    files: wireFiles(parts),
    settings: wireSettings(parts, wired, control),
    jobs: {
      list: async () => parts.jobs.list(),
      cancel: async ({ id }) => ({ cancelled: parts.jobs.cancel(id) }),
    },
    page: {
      get: async () => parts.page.get(),
      async set(change) {
        const page = await parts.page.set(change);
        parts.hub.global({ type: 'page', page });
        return page;
      },
    },
    demo: {
      start: createStartDemo({
        makeProject: () => makeDemoProject(parts.git),
        prompts: demoPrompts,
        createStrand: strands.create,
        runTurn: wired.runTurn,
        enqueue: wired.enqueue,
      }),
    },
    system: wireSystem(parts, control),
    events: wireEvents(parts),
  };
};

const wireRestore = (parts: Parts): Flows['restore'] => {
  const state = stateReader(parts);
  const { running, snapshots, hub, pool } = parts;
  const { strand: announce, fault: reportFault } = parts.announcements;
  return {
    preview: createPreviewRestore({ state, running, snapshots, newOpId }),
    apply: createRestore({ state, pool, running, snapshots, hub, newOpId, announce, reportFault }),
    actions: createRestoreActions({ state, running }),
    diff: createDiffTurn({ state, snapshots }),
    file: createShowFile({ state, snapshots }),
    operations: createListOperations({ state }),
  };
};

const wireStore = ({ upkeep }: Parts): Flows['store'] => ({
  usage: createStoreUsage({ upkeep }),
  gc: createCleanStore({ upkeep }),
  purge: createPurgeStore({ upkeep }),
});

const wireFiles = (parts: Parts): Flows['files'] => {
  const state = stateReader(parts);
  const { home } = parts.environment.paths;
  return {
    ...wirePast(parts),
    folders: createListFolders({ home, subfolders, summaries: parts.announcements.summaries }),
    mentions: createFindMentions({ state, listFiles: (cwd) => listFiles(parts.git, cwd) }),
    openInEditor: createOpenInEditor({
      state,
      editor: () => findEditor(parts),
      inside: fileInside,
      launch: (command, cwd) => launchEditor(parts, command, cwd),
    }),
  };
};

const wireSettings = (parts: Parts, turns: WiredTurns, control: BridgeControl | null): Flows['settings'] => {
  const { settings, hub } = parts;
  const changed = async () => {
    await turns.refresh();
    hub.global({ type: 'settings' });
    return settings.describe();
  };
  return {
    get: settings.describe,
    async set({ patch }) {
      await settings.update(patch);
      return changed();
    },
    async setKey({ provider, key }) {
      if (key !== null) parts.hideInLog(key);
      await settings.setKey(provider, key);
      return changed();
    },
    async testProvider({ provider }) {
      const found = (await settings.providers()).find(({ id }) => id === provider);
      if (found === undefined) throw new BridgeError('not_found', `There is no provider called ${provider}.`);
      return probeProvider(found.config, await settings.getKey(provider));
    },
    browserKeys: async (input) => control?.browserKeys(input) ?? [],
    revokeKey: async (input) => (control === null ? { revoked: false } : control.revokeKey(input)),
  };
};

const wireSystem = (parts: Parts, control: BridgeControl | null): Flows['system'] => ({
  info: async () => ({
    version: parts.environment.version,
    protocol: PROTOCOL_VERSION,
    dataDir: parts.dataDir,
    pid: process.pid,
    platform: process.platform,
    home: parts.environment.paths.home,
    git: parts.git === null ? null : parts.git.version.join('.'),
    startedAt: parts.startedAt,
  }),
  doctor: createRunDoctor({ checks: doctorChecks(parts) }),
  async openingLink() {
    return mustListen(control).openingLink();
  },
  async stop() {
    mustListen(control).stop();
    return { stopping: true };
  },
});

const mustListen = (control: BridgeControl | null): BridgeControl => {
  if (control === null)
    throw new BridgeError('not_found', 'No bridge is running; start one with "skein up".');
  return control;
};

const wireEvents = (parts: Parts): Flows['events'] => {
  const { hub, store, running, desk, queues, jobs, page, announcements } = parts;
  const own = createFollowStrand({ hub, store, running });
  const foreign = openForeign(parts);
  const elsewhere = isForeign(parts);
  return {
    async *strand(input, signal) {
      yield* (await elsewhere(input.strand)) ? foreign.follow(input, signal) : own(input, signal);
    },
    all: createFollowAll({
      hub,
      strands: announcements.summaries,
      permissions: desk.open,
      queues: queues.all,
      jobs: jobs.list,
      page: async () => page.get(),
      recoveries: announcements.recoveries,
      notices: announcements.notices,
    }),
  };
};
