/** The tRPC instance: who may call, and how a fault looks on the wire (code, sentence, typed data; never a stack). */
import { initTRPC, TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { errorShapeOf } from './errors.ts';
import type { Flows } from './flows.ts';

export interface ApiContext {
  readonly flows: Flows;
  /** Who calls: the CLI token, one browser key, a process itself; null: not authenticated. */
  readonly caller:
    | { readonly kind: 'token' | 'in_process' }
    | { readonly kind: 'browser'; readonly keyId: string }
    | null;
}

const t = initTRPC.context<ApiContext>().create({
  isDev: false,
  sse: { enabled: false },
  errorFormatter: ({ shape, error }) => ({
    message: shape.message,
    code: shape.code,
    data: {
      code: shape.data.code,
      httpStatus: shape.data.httpStatus,
      skein: errorShapeOf(error.cause ?? error),
    },
  }),
});

export const router = t.router;
export const createCaller = t.createCallerFactory;

/** The only procedure there is: every route needs a caller (DESIGN section 7). */
export const procedure = t.procedure.use(({ ctx, next }) => {
  if (ctx.caller === null)
    throw new TRPCError({ code: 'UNAUTHORIZED', message: 'This request carries no valid key.' });
  return next({ ctx: { ...ctx, caller: ctx.caller } });
});

export const isInvalidInput = (error: unknown): boolean => error instanceof ZodError;
