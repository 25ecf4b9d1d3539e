/**
 * Tells when a strand changed, whoever wrote it. File events are only a hint that makes it fast: a scan at
 * intervals finds what they lost, and is all there is where the system has no watch left.
 */
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import { type DirWatch, watchDirs } from '../platform/watch-dirs.ts';
import { createSeenFiles, type StrandChange } from './seen-files.ts';
import { idInName, scanStrands } from './strand-files.ts';

export interface StrandWatch {
  add(listener: (change: StrandChange) => void): () => void;
  /** A writer of this process appended: no need to wait for the system. */
  touch(id: StrandId, path: string): void;
  close(): void;
}

export interface WatchDeps {
  readonly strands: string;
  readonly notice: (message: string) => void;
  /** Tells of a fault of a scan in the background. */
  readonly onFault: (error: unknown) => void;
  readonly scanEveryMs?: number;
  readonly pollEveryMs?: number;
}

const COALESCE_MS = 15;
const SCAN_EVERY_MS = 60_000;
const POLL_EVERY_MS = 1500;

/** Watching begins with the first listener and ends with the last one. */
export const createStrandWatch = (deps: WatchDeps): StrandWatch => {
  const listeners = new Set<(change: StrandChange) => void>();
  let session: WatchSession | null = null;
  const emit = (change: StrandChange): void => {
    for (const listener of [...listeners]) listener(change);
  };
  const stop = (): void => {
    session?.close();
    session = null;
  };
  return {
    add: (listener) => {
      listeners.add(listener);
      session ??= startSession(deps, emit);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    touch: (id, path) => session?.touch(id, path),
    close: () => {
      listeners.clear();
      stop();
    },
  };
};

interface WatchSession {
  touch(id: StrandId, path: string): void;
  close(): void;
}

const startSession = (deps: WatchDeps, emit: (change: StrandChange) => void): WatchSession => {
  const seen = createSeenFiles(emit);
  const touched = new Map<string, StrandId>();
  let scanDue = false;
  let closed = false;
  let polling = false;
  let flushing: NodeJS.Timeout | undefined;
  let now: NodeJS.Immediate | undefined;
  let every: NodeJS.Timeout | undefined;

  const scan = async (): Promise<void> => {
    const { strands, subagents, folders } = await scanStrands(deps.strands);
    if (closed) return;
    for (const folder of folders) dirs.add(folder);
    seen.compare([...strands, ...subagents]);
  };
  /** Nobody waits for what runs in a timer: a fault there would end the process. */
  const lookAt = (path: string, id: StrandId): void => {
    try {
      seen.look(path, id);
    } catch (error) {
      deps.onFault(error);
    }
  };
  const flush = (): void => {
    clearTimeout(flushing);
    flushing = undefined;
    now = undefined;
    if (closed) return;
    const due = [...touched];
    touched.clear();
    for (const [path, id] of due) lookAt(path, id);
    if (scanDue) scan().catch(deps.onFault);
    scanDue = false;
  };
  const soon = (): void => {
    if (!closed) flushing ??= setTimeout(flush, COALESCE_MS);
  };
  const onEvent = (dir: string, name: string | null): void => {
    const id = name === null ? null : idInName(name);
    if (id === null || name === null) scanDue = true;
    else touched.set(join(dir, name), id);
    soon();
  };
  const scanEvery = (ms: number): void => {
    clearInterval(every);
    every = setInterval(() => onEvent(deps.strands, null), ms);
    every.unref();
  };
  const dirs: DirWatch = watchDirs(onEvent, (errno) => {
    if (polling || closed) return;
    polling = true;
    deps.notice(
      `This system cannot watch more folders (${errno}); sessions are looked at every few seconds instead.`,
    );
    scanEvery(deps.pollEveryMs ?? POLL_EVERY_MS);
  });
  scanEvery(deps.scanEveryMs ?? SCAN_EVERY_MS);
  dirs.add(deps.strands);
  scan().catch(deps.onFault);
  return {
    touch: (id, path) => {
      touched.set(path, id);
      // What was appended in one go is told at once; there is nothing to wait for.
      now ??= setImmediate(flush);
    },
    close: () => {
      closed = true;
      clearTimeout(flushing);
      clearImmediate(now);
      clearInterval(every);
      dirs.close();
    },
  };
};
