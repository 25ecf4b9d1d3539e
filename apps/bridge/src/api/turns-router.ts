import { decideInputSchema, promptInputSchema } from '@skein/core/protocol/turns';
import { strandIdSchema } from '@skein/core/record/ids';
import { z } from 'zod';
import { procedure, router } from './trpc.ts';

const strandInput = z.object({ strand: strandIdSchema });

export const turnsRouter = router({
  queue: procedure.input(strandInput).query(({ ctx, input }) => ctx.flows.turns.queue(input)),
  prompt: procedure.input(promptInputSchema).mutation(({ ctx, input }) => ctx.flows.turns.prompt(input)),
  interrupt: procedure.input(strandInput).mutation(({ ctx, input }) => ctx.flows.turns.interrupt(input)),
  decide: procedure.input(decideInputSchema).mutation(({ ctx, input }) => ctx.flows.turns.decide(input)),
  /** `text: null` removes it. */
  editQueued: procedure
    .input(strandInput.extend({ id: z.string(), text: z.string().nullable() }))
    .mutation(({ ctx, input }) => ctx.flows.turns.editQueued(input)),
});
