/** The bridge API (DESIGN section 7). The page and the CLI import this type and nothing else of the bridge. */

import { blameInputSchema, filesAtInputSchema, versionAtInputSchema } from '@skein/core/protocol/past';
import { strandIdSchema } from '@skein/core/record/ids';
import { z } from 'zod';
import { eventsRouter } from './events-router.ts';
import { historyRouter } from './history-router.ts';
import { restoreRouter } from './restore-router.ts';
import { searchProcedure } from './search-router.ts';
import { settingsRouter } from './settings-router.ts';
import { editorTargetSchema } from './shapes.ts';
import { storeRouter } from './store-router.ts';
import { strandsRouter } from './strands-router.ts';
import { createCaller, procedure, router } from './trpc.ts';
import { turnsRouter } from './turns-router.ts';

const agentsRouter = router({ list: procedure.query(({ ctx }) => ctx.flows.agents.list()) });

const filesRouter = router({
  at: procedure.input(filesAtInputSchema).query(({ ctx, input }) => ctx.flows.files.at(input)),
  versionAt: procedure
    .input(versionAtInputSchema)
    .query(({ ctx, input }) => ctx.flows.files.versionAt(input)),
  blame: procedure.input(blameInputSchema).query(({ ctx, input }) => ctx.flows.files.blame(input)),
  folders: procedure
    .input(z.object({ path: z.string().nullable() }))
    .query(({ ctx, input }) => ctx.flows.files.folders(input)),
  mentions: procedure
    .input(z.object({ strand: strandIdSchema, query: z.string().max(200) }))
    .query(({ ctx, input }) => ctx.flows.files.mentions(input)),
  openInEditor: procedure
    .input(editorTargetSchema)
    .mutation(({ ctx, input }) => ctx.flows.files.openInEditor(input)),
});

const jobsRouter = router({
  list: procedure.query(({ ctx }) => ctx.flows.jobs.list()),
  cancel: procedure
    .input(z.object({ id: z.string() }))
    .mutation(({ ctx, input }) => ctx.flows.jobs.cancel(input)),
});

const pageRouter = router({
  get: procedure.query(({ ctx }) => ctx.flows.page.get()),
  set: procedure
    .input(
      z.object({
        tabs: z.array(strandIdSchema).max(200).optional(),
        draft: z.object({ strand: z.string().max(64), text: z.string().max(500_000) }).optional(),
      }),
    )
    .mutation(({ ctx, input }) => ctx.flows.page.set(input)),
});

const demoRouter = router({ start: procedure.mutation(({ ctx }) => ctx.flows.demo.start()) });

const systemRouter = router({
  info: procedure.query(({ ctx }) => ctx.flows.system.info()),
  doctor: procedure.query(({ ctx }) => ctx.flows.system.doctor()),
  openingLink: procedure.mutation(({ ctx }) => ctx.flows.system.openingLink()),
  stop: procedure.mutation(({ ctx }) => ctx.flows.system.stop()),
});

export const appRouter = router({
  strands: strandsRouter,
  turns: turnsRouter,
  restore: restoreRouter,
  history: historyRouter,
  search: router({ query: searchProcedure }),
  store: storeRouter,
  agents: agentsRouter,
  files: filesRouter,
  settings: settingsRouter,
  jobs: jobsRouter,
  page: pageRouter,
  demo: demoRouter,
  system: systemRouter,
  events: eventsRouter,
});
export type AppRouter = typeof appRouter;
export const createApiCaller = createCaller(appRouter);
