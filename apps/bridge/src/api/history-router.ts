import {
  historyContinueInputSchema,
  historyListInputSchema,
  historyPlaceInputSchema,
  historySessionInputSchema,
  vaultRestoreInputSchema,
  vaultSetInputSchema,
} from '@skein/core/protocol/history';
import { procedure, router } from './trpc.ts';

export const historyRouter = router({
  list: procedure.input(historyListInputSchema).query(({ ctx, input }) => ctx.flows.history.list(input)),
  open: procedure.input(historySessionInputSchema).query(({ ctx, input }) => ctx.flows.history.open(input)),
  /** The session goes on as a new strand. */
  continue: procedure
    .input(historyContinueInputSchema)
    .mutation(({ ctx, input }) => ctx.flows.history.continue(input)),
  places: procedure.query(({ ctx }) => ctx.flows.history.places()),
  addPlace: procedure
    .input(historyPlaceInputSchema)
    .mutation(({ ctx, input }) => ctx.flows.history.addPlace(input)),
  removePlace: procedure
    .input(historyPlaceInputSchema)
    .mutation(({ ctx, input }) => ctx.flows.history.removePlace(input)),
  vault: procedure.query(({ ctx }) => ctx.flows.history.vault()),
  setVault: procedure
    .input(vaultSetInputSchema)
    .mutation(({ ctx, input }) => ctx.flows.history.setVault(input)),
  restoreFromVault: procedure
    .input(vaultRestoreInputSchema)
    .mutation(({ ctx, input }) => ctx.flows.history.restoreFromVault(input)),
});
