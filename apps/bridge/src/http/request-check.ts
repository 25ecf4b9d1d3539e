/** What every request and every upgrade must pass before anything looks at its path or key. */
import type { IncomingMessage } from 'node:http';
import { checkHost } from './host-check.ts';
import { checkFetchSite, checkOrigin } from './origin-check.ts';
import type { Refusal } from './refusal.ts';

export const checkRequest = (
  req: IncomingMessage,
  { port, isStatic }: { readonly port: number; readonly isStatic: boolean },
): Refusal | null => checkHost(req, port) ?? checkOrigin(req) ?? checkFetchSite(req, isStatic);

/** The path of the request line without its query. */
export const pathOf = (req: IncomingMessage): string => (req.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
