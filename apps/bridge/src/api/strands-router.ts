import {
  createInputSchema,
  listInputSchema,
  selectorInputSchema,
  showInputSchema,
  spillInputSchema,
  windowInputSchema,
} from '@skein/core/protocol/strands';
import { strandIdSchema } from '@skein/core/record/ids';
import { z } from 'zod';
import { procedure, router } from './trpc.ts';

const strandInput = z.object({ strand: strandIdSchema });

export const strandsRouter = router({
  list: procedure.input(listInputSchema).query(({ ctx, input }) => ctx.flows.strands.list(input)),
  resolve: procedure.input(selectorInputSchema).query(({ ctx, input }) => ctx.flows.strands.resolve(input)),
  window: procedure.input(windowInputSchema).query(({ ctx, input }) => ctx.flows.strands.window(input)),
  show: procedure.input(showInputSchema).query(({ ctx, input }) => ctx.flows.strands.show(input)),
  lint: procedure.input(strandInput).query(({ ctx, input }) => ctx.flows.strands.lint(input)),
  spill: procedure.input(spillInputSchema).query(({ ctx, input }) => ctx.flows.strands.spill(input)),
  create: procedure.input(createInputSchema).mutation(({ ctx, input }) => ctx.flows.strands.create(input)),
  name: procedure
    .input(strandInput.extend({ name: z.string().max(80) }))
    .mutation(({ ctx, input }) => ctx.flows.strands.name(input)),
  flag: procedure
    .input(strandInput.extend({ archived: z.boolean().optional(), pinned: z.boolean().optional() }))
    .mutation(({ ctx, input }) => ctx.flows.strands.flag(input)),
  set: procedure
    .input(
      strandInput.extend({
        setting: z.enum(['model', 'mode', 'effort']),
        value: z.string().max(200).nullable(),
      }),
    )
    .mutation(({ ctx, input }) => ctx.flows.strands.set(input)),
  acceptBadLines: procedure
    .input(strandInput)
    .mutation(({ ctx, input }) => ctx.flows.strands.acceptBadLines(input)),
});
