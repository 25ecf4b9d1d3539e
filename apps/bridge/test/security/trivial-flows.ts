/** Flows that answer at once with the smallest value that fits: the listener is under test, not the product. */

import type { PageState } from '@skein/core/protocol/events';
import type { ForeignSession } from '@skein/core/protocol/history';
import type { StrandSummary } from '@skein/core/protocol/strands';
import { recordIdSchema, strandIdSchema } from '@skein/core/record/ids';
import type { Flows } from '../../src/api/flows.ts';

export const STRAND = strandIdSchema.parse('0123456789ab');
export const RECORD = recordIdSchema.parse('0123456789ab');

const AT = '2026-01-02T03:04:05.000Z';
const SUMMARY: StrandSummary = {
  id: STRAND,
  name: null,
  title: '',
  cwd: '/tmp',
  agent: 'script',
  model: null,
  mode: null,
  turns: 0,
  messages: 0,
  cost: 0,
  createdAt: AT,
  updatedAt: AT,
  state: 'idle',
  archived: false,
  pinned: false,
  changed: false,
  bad: 0,
  readOnly: null,
};
const FOREIGN: ForeignSession = {
  id: STRAND,
  agent: 'codex',
  path: '',
  title: '',
  cwd: null,
  startedAt: null,
  updatedAt: AT,
  prompts: 0,
  messages: 0,
  model: null,
  tokens: null,
  cost: null,
  sizeBytes: 0,
  parent: null,
  problems: 0,
  unknown: 0,
  kept: false,
  gone: false,
};
const VAULT = { on: false, sessions: 0, gone: 0, rawBytes: 0, storedBytes: 0, damaged: 0 };
const PAGE: PageState = { rev: 0, tabs: [], drafts: {} };
const RESTORE = {
  applied: false,
  plan: 'p',
  direction: 'undo' as const,
  turns: [],
  scope: 'both' as const,
  files: [],
  conflicts: [],
  unattributed: [],
  unrestored: [],
};

/** `calls` counts every flow that ran: a refused request must not add to it. */
export const createTrivialFlows = (): { readonly flows: Flows; readonly calls: () => number } => {
  let calls = 0;
  const done =
    <T>(value: T) =>
    async (): Promise<T> => {
      calls += 1;
      return value;
    };
  async function* untilAborted<T>(first: T, signal: AbortSignal): AsyncIterable<T> {
    calls += 1;
    yield first;
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  const summary = done(SUMMARY);
  const flows: Flows = {
    search: async () => ({
      total: 0,
      isAtLeast: false,
      groups: [],
      facets: { agents: [] },
      hints: [],
      indexing: null,
    }),
    strands: {
      list: done({ items: [SUMMARY], next: null, total: 1 }),
      resolve: summary,
      create: summary,
      window: done({ items: [], before: null, cursor: '0:-', tip: RECORD, summary: SUMMARY }),
      show: done({ strand: STRAND, tip: RECORD, settings: {}, messages: [], turns: [], records: 0, bad: 0 }),
      name: summary,
      flag: summary,
      set: summary,
      lint: done({ ok: true, records: 0, problems: [] }),
      acceptBadLines: summary,
      spill: done({ b64: '', bytes: 0, end: true }),
    },
    turns: {
      prompt: done({ kind: 'started', turn: RECORD }),
      interrupt: done({ interrupted: false }),
      decide: done({ accepted: false, saved: false }),
      queue: done([]),
      editQueued: done([]),
    },
    restore: {
      preview: done(RESTORE),
      apply: done(RESTORE),
      actions: done({
        undo: { enabled: false, reason: null, turn: null },
        redo: { enabled: false, reason: null, op: null },
      }),
      diff: done({ files: [] }),
      file: done({ path: '', type: 'absent', b64: '', mode: null, from: 'disk' }),
      operations: done({ operations: [] }),
    },
    history: {
      list: done({ items: [], next: null, total: 0, agents: [], notices: [] }),
      open: done({ session: FOREIGN, problems: [] }),
      continue: summary,
      places: done({ places: [] }),
      addPlace: done({ places: [] }),
      removePlace: done({ places: [] }),
      vault: done(VAULT),
      setVault: done(VAULT),
      restoreFromVault: done({ path: '', bytes: 0 }),
    },
    store: {
      usage: done({
        stores: [],
        blobs: 0,
        journals: 0,
        trash: 0,
        total: 0,
        retentionDays: 7,
        maxBytes: 0,
      }),
      gc: done({ freed: 0, expired: 0 }),
      purge: done({ freed: 0, expired: 0 }),
    },
    agents: { list: done([]) },
    files: {
      at: done({ held: false, why: '' }),
      versionAt: done({ held: false, why: '' }),
      blame: done({ path: '', turns: [], lines: [] }),
      folders: done({ path: '/', parent: null, folders: [], recent: [] }),
      mentions: done([]),
      openInEditor: done({ opened: false, command: '' }),
    },
    settings: {
      get: done({ config: {}, problems: [], configFile: '', dataDir: '', providers: [] }),
      set: done({ config: {}, problems: [], configFile: '', dataDir: '', providers: [] }),
      setKey: done({ config: {}, problems: [], configFile: '', dataDir: '', providers: [] }),
      testProvider: done({ ok: false, message: '', models: [] }),
      browserKeys: done([]),
      revokeKey: done({ revoked: false }),
    },
    jobs: { list: done([]), cancel: done({ cancelled: false }) },
    page: { get: done(PAGE), set: done(PAGE) },
    demo: { start: done({ strand: STRAND, cwd: '/tmp', prompts: [] }) },
    system: {
      info: done({
        version: '0',
        protocol: 1,
        dataDir: '',
        pid: 0,
        platform: '',
        home: '',
        git: null,
        startedAt: AT,
      }),
      doctor: done({ checks: [], ok: true }),
      openingLink: done({ url: '' }),
      stop: done({ stopping: false }),
    },
    events: {
      strand: (_input, signal) => untilAborted({ cursor: null, event: { type: 'caught_up' } }, signal),
      all: (signal) => untilAborted({ type: 'page', page: PAGE }, signal),
    },
  };
  return { flows, calls: () => calls };
};
