/**
 * DNS rebinding ends here: a request must name one of our three hosts, exactly, once. The list is made from the
 * port and never from the request; it cannot be empty.
 */
import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from './refusal.ts';

export const ownHosts = (port: number): readonly string[] => [
  `127.0.0.1:${port}`,
  `localhost:${port}`,
  `[::1]:${port}`,
];

export const checkHost = (req: IncomingMessage, port: number): Refusal | null => {
  const names = req.rawHeaders.filter((_, index) => index % 2 === 0);
  const hosts = names.filter((name) => name.toLowerCase() === 'host').length;
  const own = hosts === 1 && ownHosts(port).includes(req.headers.host ?? '');
  // An absolute target would name a second host, and `//host/path` is read as one.
  const plainTarget = req.url?.startsWith('/') === true && !req.url.startsWith('//');
  if (own && plainTarget) return null;
  return refuse(403, 'forbidden', 'This address is not one of this bridge.');
};
