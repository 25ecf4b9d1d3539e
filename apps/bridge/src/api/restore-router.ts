import {
  applyRequestSchema,
  fileAtInputSchema,
  restoreRequestSchema,
  turnDiffInputSchema,
} from '@skein/core/protocol/restore';
import { strandIdSchema } from '@skein/core/record/ids';
import { z } from 'zod';
import { procedure, router } from './trpc.ts';

export const restoreRouter = router({
  preview: procedure.input(restoreRequestSchema).query(({ ctx, input }) => ctx.flows.restore.preview(input)),
  actions: procedure
    .input(z.object({ strand: strandIdSchema }))
    .query(({ ctx, input }) => ctx.flows.restore.actions(input)),
  diff: procedure.input(turnDiffInputSchema).query(({ ctx, input }) => ctx.flows.restore.diff(input)),
  file: procedure.input(fileAtInputSchema).query(({ ctx, input }) => ctx.flows.restore.file(input)),
  operations: procedure
    .input(z.object({ strand: strandIdSchema }))
    .query(({ ctx, input }) => ctx.flows.restore.operations(input)),
  carryOut: procedure.input(applyRequestSchema).mutation(({ ctx, input }) => ctx.flows.restore.apply(input)),
});
