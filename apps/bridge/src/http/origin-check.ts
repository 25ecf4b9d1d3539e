/** Pages of other origins may send nothing here, whatever key they carry. */
import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from './refusal.ts';

/** No Origin: a same-origin GET, or a client that is no browser. After `checkHost`, so that Host is one of ours. */
export const checkOrigin = (req: IncomingMessage): Refusal | null => {
  const { origin, host } = req.headers;
  if (origin === undefined || origin === `http://${host}`) return null;
  return refuse(403, 'forbidden', 'Requests from other pages are refused.');
};

/**
 * Fetch metadata (W3C): `none` is the user's own doing, `same-origin` ours. Following a link to a page of ours is
 * allowed: nothing but static files answers it.
 */
export const checkFetchSite = (req: IncomingMessage, isStatic: boolean): Refusal | null => {
  const site = req.headers['sec-fetch-site'];
  if (site === undefined || site === 'none' || site === 'same-origin') return null;
  const followsLink =
    req.method === 'GET' &&
    req.headers['sec-fetch-mode'] === 'navigate' &&
    req.headers['sec-fetch-dest'] === 'document';
  if (isStatic && followsLink) return null;
  return refuse(403, 'forbidden', 'Requests from other pages are refused.');
};
