/** Subscriptions. Durable records travel as tracked events, so that a reconnect goes on after the last one seen. */

import { cursorSchema } from '@skein/core/protocol/events';
import { strandIdSchema } from '@skein/core/record/ids';
import { tracked } from '@trpc/server';
import { z } from 'zod';
import { procedure, router } from './trpc.ts';

export const eventsRouter = router({
  strand: procedure
    .input(
      z.object({
        strand: strandIdSchema,
        after: cursorSchema.nullable(),
        /** Set by the client library on a reconnect. */
        lastEventId: z.string().nullish(),
      }),
    )
    .subscription(async function* ({ ctx, input, signal }) {
      const stop = signal ?? new AbortController().signal;
      const after = input.lastEventId ?? input.after;
      for await (const { cursor, event } of ctx.flows.events.strand({ strand: input.strand, after }, stop)) {
        if (cursor === null) yield event;
        else yield tracked(cursor, event);
      }
    }),
  all: procedure.subscription(async function* ({ ctx, signal }) {
    yield* ctx.flows.events.all(signal ?? new AbortController().signal);
  }),
});
