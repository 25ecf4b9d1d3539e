/**
 * The built page. Every file that can be answered is in a list made at start; a request path is looked up in it and
 * never joined to a folder, so there is nothing to traverse. Bytes are read and compressed at first use and kept.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { WebFile } from '../platform/web-files.ts';
import { inlineScriptHashes } from './content-policy.ts';

export interface StaticAnswer {
  readonly type: string;
  readonly etag: string;
  readonly isPage: boolean;
  /** Named by its content: never asked for again. */
  readonly immutable: boolean;
  readonly scriptHashes: readonly string[];
  encoded(accept: string): Promise<{ readonly bytes: Uint8Array; readonly encoding: 'br' | 'gzip' | null }>;
}

export interface StaticFiles {
  /** `path` as in the request line, without the query. Null: no such file. */
  find(path: string): Promise<StaticAnswer | null>;
  notFoundPage(): Promise<StaticAnswer | null>;
}

export const openStaticFiles = (files: readonly WebFile[]): StaticFiles => {
  const byPath = new Map(files.map((file) => [file.path, once(() => loadAnswer(file))]));
  const find = async (path: string): Promise<StaticAnswer | null> => {
    const name = nameOf(path);
    if (name === null) return null;
    for (const candidate of [name, `${name}.html`, name === '' ? 'index.html' : `${name}/index.html`]) {
      const load = byPath.get(candidate);
      if (load !== undefined) return load();
    }
    return null;
  };
  return { find, notFoundPage: () => find('/404.html') };
};

/** Percent-decoded once, without the slashes around it; null when it cannot be decoded. */
const nameOf = (path: string): string | null => {
  try {
    return decodeURIComponent(path).replace(/^\/|\/$/g, '');
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
};

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
};
const COMPRESSIBLE = /^(text\/|application\/(json|manifest)|image\/svg)/;
const MIN_COMPRESS_BYTES = 512;

const loadAnswer = async (file: WebFile): Promise<StaticAnswer | null> => {
  const bytes = await file.read();
  if (bytes === null) return null;
  const type = TYPES[file.path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  const isPage = file.path.endsWith('.html');
  return {
    type,
    isPage,
    etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    immutable: file.path.startsWith('_next/static/'),
    scriptHashes: isPage ? inlineScriptHashes(new TextDecoder().decode(bytes)) : [],
    encoded: createEncoder(bytes, COMPRESSIBLE.test(type) && bytes.length >= MIN_COMPRESS_BYTES),
  };
};

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Compresses once per encoding, on the first request that takes it. */
const createEncoder = (bytes: Uint8Array, compressible: boolean): StaticAnswer['encoded'] => {
  const br = once(() => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }));
  const gz = once(() => zip(bytes, { level: 7 }));
  return async (accept) => {
    if (compressible && accepts(accept, 'br')) return { bytes: await br(), encoding: 'br' };
    if (compressible && accepts(accept, 'gzip')) return { bytes: await gz(), encoding: 'gzip' };
    return { bytes, encoding: null };
  };
};

/** A failure is not kept: too many open files for a moment is no reason to lack a file until the next start. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let kept: Promise<T> | null = null;
  return () => {
    if (kept !== null) return kept;
    const made = make();
    kept = made;
    made.catch(() => {
      kept = null;
    });
    return made;
  };
};

const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    return name === encoding && !parameters.some((word) => /^q=0(\.0*)?$/.test(word));
  });
