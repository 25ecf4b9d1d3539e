/** Faults of API calls in the log: the route and the fault, never the input. */

import { isBridgeError } from '@skein/core/protocol/errors';
import type { TRPCError } from '@trpc/server';
import type { Log } from '../platform/log.ts';

export const reportTo =
  (log: Log) =>
  ({ error, path, type }: { error: TRPCError; path: string | undefined; type: string }): void => {
    const fault = error.cause ?? error;
    const what = { route: path ?? '', type, code: isBridgeError(fault) ? fault.code : error.code };
    if (error.code === 'INTERNAL_SERVER_ERROR' && !isBridgeError(fault)) {
      log.error('An API call failed', { ...what, stack: fault.stack ?? String(fault) });
    } else log.debug('An API call was refused', { ...what, message: fault.message });
  };
