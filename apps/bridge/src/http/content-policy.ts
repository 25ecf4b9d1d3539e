/**
 * The Content-Security-Policy of a page: its own scripts, by hash where they are inline. Next's static export holds
 * inline scripts, so the hashes are made from the built html itself.
 */
import { createHash } from 'node:crypto';

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi;

/** `'sha256-…'` of every inline script of a page. */
export const inlineScriptHashes = (html: string): readonly string[] => {
  const scripts = [...html.matchAll(INLINE_SCRIPT)].map((match) => match[1] ?? '');
  return [...new Set(scripts.map(hashOf))];
};

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** `host` is one of ours; some browsers do not count a WebSocket as 'self'. */
export const pagePolicy = (hashes: readonly string[], host: string): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src 'self' ws://${host}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
