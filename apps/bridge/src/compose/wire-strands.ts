/** Sessions as the API sees them, wired. */
import { release } from 'node:os';
import type { StrandId } from '@skein/core/record/ids';
import type { StrandState } from '@skein/core/strand/replay';
import type { Flows } from '../api/flows.ts';
import { createAnnotateStrand } from '../flows/annotate-strand.ts';
import { createCreateStrand } from '../flows/create-strand.ts';
import { createLintStrand } from '../flows/lint-strand.ts';
import { createListStrands } from '../flows/list-strands.ts';
import { createResolveStrand } from '../flows/resolve-strand.ts';
import { createShowStrand } from '../flows/show-strand.ts';
import { createWindowStrand } from '../flows/window-strand.ts';
import { repoSnapshot } from '../platform/git-repo.ts';
import { realPathIfThere } from '../platform/paths.ts';
import { realFolder } from './folders.ts';
import type { Parts } from './parts.ts';
import { isForeign, openForeign } from './wire-history.ts';

/** What readers may see of the open writer's fold when there is one, else the file's. */
export const stateReader =
  (parts: Parts) =>
  async (strand: StrandId): Promise<StrandState> => {
    const open = parts.pool.peek(strand)?.shownState;
    if (open !== undefined) return open;
    return (await isForeign(parts)(strand)) ? openForeign(parts).state(strand) : parts.store.read(strand);
  };

export const wireStrands = (parts: Parts): Flows['strands'] => {
  const { announcements, hub, pool, store } = parts;
  const { summary, summaries } = announcements;
  const announce = announcements.strand;
  const realPath = async (path: string): Promise<string> => (await realPathIfThere(path)) ?? path;
  const own = createWindowStrand({ store, summary });
  const foreign = openForeign(parts);
  const elsewhere = isForeign(parts);
  const annotate = createAnnotateStrand({ pool, hub, announce, summary });
  return {
    list: createListStrands({ summaries, realPath }),
    resolve: createResolveStrand({
      summaries,
      foreign: foreign.summaries,
      realPath,
      waypoint: parts.waypoints.get,
    }),
    create: createCreateStrand({
      store,
      pool,
      realFolder,
      async repoSnapshot(cwd) {
        const repo = await repoSnapshot(parts.git, cwd);
        return repo === null ? null : { ...repo, dirty: [...repo.dirty] };
      },
      versions: {
        skein: parts.environment.version,
        node: process.versions.node,
        os: `${process.platform} ${release()}`,
      },
      knowsAgent: (agent) => parts.drivers.some(({ name }) => name === agent),
      announce,
      summary,
    }),
    window: async (input) => ((await elsewhere(input.strand)) ? foreign.window(input) : own(input)),
    show: createShowStrand({ state: stateReader(parts) }),
    lint: createLintStrand({ store, isRunning: (strand) => parts.running.get(strand) !== undefined }),
    name: ({ strand, name }) => annotate(strand, { kind: 'name', name }),
    flag: ({ strand, archived, pinned }) => annotate(strand, { kind: 'flag', archived, pinned }),
    set: ({ strand, setting, value }) => annotate(strand, { kind: 'change', setting, value, by: 'user' }),
    async acceptBadLines({ strand }) {
      // A writer of ours that nobody uses holds the lease for a while.
      await parts.pool.discard(strand);
      await store.acceptBadLines(strand);
      hub.strandGrew(strand);
      announce(strand);
      return summary(strand);
    },
    async spill({ sha256, offset, limit }) {
      const { bytes, total } = await store.readSpillRange(sha256, offset, limit);
      return {
        b64: Buffer.from(bytes).toString('base64'),
        bytes: total,
        end: offset + bytes.byteLength >= total,
      };
    },
  };
};
