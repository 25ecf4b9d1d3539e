/** Search, wired: which files are indexed, and how long an answer waits for the index. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Flows } from '../api/flows.ts';
import { createSearchSessions } from '../flows/search-sessions.ts';
import { createIndexClient, type IndexClient } from '../index/client.ts';
import type { IndexedFile } from '../index/ports.ts';
import { systemClock } from '../platform/clock.ts';
import { statIfThere } from '../platform/files.ts';
import type { Parts } from './parts.ts';

/** A page that searches while one types wants an answer now; a command can wait for a whole one. */
const WAIT_MS = { bridge: 400, command: 10 * 60_000 } as const;

export const openIndex = (
  stack: AsyncDisposableStack,
  dataDir: string,
  log: { readonly warn: (text: string) => void },
): IndexClient => {
  const databaseFile = join(dataDir, 'index.sqlite');
  const index = createIndexClient({
    script: workerScript(import.meta.url),
    databaseFile,
    notice: log.warn,
    nowMs: systemClock.nowMs,
  });
  stack.defer(() => index.close());
  return index;
};

/** Beside this file in the sources; in the built bridge beside main.js, also when we are in one of its chunks. */
const workerScript = (here: string): URL => {
  if (here.endsWith('.ts')) return new URL('./index-worker.ts', here);
  return new URL(/\/chunks\/[^/]*$/.test(here) ? '../index-worker.js' : './index-worker.js', here);
};

export const wireSearch = (parts: Parts, isBridge: boolean): Flows['search'] =>
  createSearchSessions({
    index: parts.index,
    waitMs: isBridge ? WAIT_MS.bridge : WAIT_MS.command,
    pause: async (ms) => {
      await pause(ms, undefined, { ref: false });
    },
    notice: (text) => parts.announcements.fault(null, new Error(text)),
    files: async () => [...(await ownFiles(parts)), ...(await foreignFiles(parts))],
  });

const ownFiles = async ({ announcements, store }: Parts): Promise<readonly IndexedFile[]> => {
  const files: IndexedFile[] = [];
  for (const { id, name, title, cwd, updatedAt } of await announcements.summaries()) {
    const place = await store.locate(id);
    const stat = place === null ? null : await statIfThere(place.file);
    if (place === null || stat === null) continue;
    const key = `${stat.size}:${stat.mtimeMs}:${stat.ino}:${name ?? ''}`;
    files.push({ path: place.file, agent: 'skein', strand: id, title: name ?? title, cwd, updatedAt, key });
  }
  return files;
};

/** Those whose file is gone stay out: what is in the index of them goes. */
const foreignFiles = async ({ history }: Parts): Promise<readonly IndexedFile[]> =>
  (await history.list()).sessions
    .filter(({ gone }) => !gone)
    .map(({ id, agent, path, title, cwd, updatedAt, sizeBytes }) => {
      return { path, agent, strand: id, title, cwd, updatedAt, key: `${sizeBytes}:${updatedAt}:${title}` };
    });
