import type { IncomingMessage } from 'node:http';

/** The secret of `Authorization: Bearer …`; null when there is no such header or another scheme. */
export const bearerOf = (req: IncomingMessage): string | null =>
  /^Bearer ([\w-]{1,512})$/.exec(req.headers.authorization ?? '')?.[1] ?? null;
