import { searchInputSchema } from '@skein/core/protocol/search';
import { procedure } from './trpc.ts';

export const searchProcedure = procedure
  .input(searchInputSchema)
  .query(({ ctx, input }) => ctx.flows.search(input));
