import { storePurgeInputSchema } from '@skein/core/protocol/store';
import { procedure, router } from './trpc.ts';

export const storeRouter = router({
  usage: procedure.query(({ ctx }) => ctx.flows.store.usage()),
  gc: procedure.mutation(({ ctx }) => ctx.flows.store.gc()),
  purge: procedure.input(storePurgeInputSchema).mutation(({ ctx, input }) => ctx.flows.store.purge(input)),
});
