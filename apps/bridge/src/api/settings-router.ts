import { providerIdSchema, settingsPatchSchema } from '@skein/core/config/personal';
import { z } from 'zod';
import { procedure, router } from './trpc.ts';

export const settingsRouter = router({
  get: procedure.query(({ ctx }) => ctx.flows.settings.get()),
  browserKeys: procedure.query(({ ctx }) =>
    ctx.flows.settings.browserKeys({ current: ctx.caller.kind === 'browser' ? ctx.caller.keyId : null }),
  ),
  /** Merges at the top level, null takes a setting out; unknown keys in the file survive. */
  set: procedure
    .input(z.object({ patch: settingsPatchSchema }))
    .mutation(({ ctx, input }) => ctx.flows.settings.set(input)),
  /** Write-only: no call answers a key. */
  setKey: procedure
    .input(z.object({ provider: providerIdSchema, key: z.string().min(1).max(4096).nullable() }))
    .mutation(({ ctx, input }) => ctx.flows.settings.setKey(input)),
  testProvider: procedure
    .input(z.object({ provider: providerIdSchema }))
    .mutation(({ ctx, input }) => ctx.flows.settings.testProvider(input)),
  revokeKey: procedure
    .input(z.object({ id: z.string().max(64) }))
    .mutation(({ ctx, input }) => ctx.flows.settings.revokeKey(input)),
});
