/** A path as text, absolute or relative to the working folder, as parts below the root of the workspace. */
import { relative, resolve, sep } from 'node:path';
import { isInside, realPathIfThere } from '../platform/paths.ts';
import { type Refused, refuse } from './refusal.ts';
import type { Parts } from './tree-path.ts';

export interface Grounds {
  /** Real path. */
  readonly root: string;
  readonly cwd: string;
  /** Real paths that may be neither read nor written. */
  readonly forbidden: readonly string[];
}

export type Place = { readonly kind: 'place'; readonly parts: Parts } | Refused;

/** Looks at names only: what lies at the place is for the caller to check. */
export async function belowRoot({ root, cwd }: Grounds, path: string): Promise<Place> {
  if (path === '' || path.includes('\0')) return refuse('outside_root', 'This is not a path.');
  const absolute = resolve(cwd, path);
  const inside = isInside(absolute, root) ? absolute : await throughAlias(absolute, root);
  if (inside === null) {
    return refuse(
      'outside_root',
      `${path} lies outside the workspace ${root}. Only files inside it can be used.`,
    );
  }
  const rest = relative(root, inside);
  if (rest === '') return refuse('not_regular', `${path} is the workspace folder itself.`);
  return { kind: 'place', parts: rest.split(sep).map((part) => Buffer.from(part, 'utf8')) };
}

/** The root under another name (`/tmp` for `/private/tmp`, a linked home): the first folder that really is the root. */
async function throughAlias(absolute: string, root: string): Promise<string | null> {
  const parts = absolute.split(sep);
  for (let length = 1; length < parts.length; length += 1) {
    const ancestor = parts.slice(0, length).join(sep) || sep;
    if ((await realPathIfThere(ancestor)) === root) return resolve(root, ...parts.slice(length));
  }
  return null;
}
