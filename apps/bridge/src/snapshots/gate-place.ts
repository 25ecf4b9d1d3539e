/**
 * Where a path given by an agent leads: a place below the root that may be touched, or a refusal. Parents are never
 * links; a link at the end is followed only inside the root, and then its target is the place.
 */
import { resolve } from 'node:path';
import { isInside } from '../platform/paths.ts';
import { identityOfPath, openDir } from '../platform/tree-files.ts';
import { belowRoot, type Grounds, type Place } from './below-root.ts';
import { behindLink } from './gate-link.ts';
import { protectedNameIn } from './protected-paths.ts';
import { type Refused, refuse } from './refusal.ts';
import { joinParts, type Parts, splitLast } from './tree-path.ts';

export interface PlaceOptions {
  /** What the call does there: protected names may be read. */
  readonly access: 'read' | 'write';
  /** False: a link at the end is itself the place. */
  readonly followLast: boolean;
}

const MAX_LINKS = 40;

export const findPlace = async (grounds: Grounds, path: string, options: PlaceOptions): Promise<Place> => {
  const named = await belowRoot(grounds, path);
  if (named.kind === 'refused') return named;
  let parts = named.parts;
  for (let hops = 0; hops < MAX_LINKS; hops += 1) {
    const refused = checkAllowed(grounds, parts, options) ?? checkFolders(grounds, parts);
    if (refused !== null) return refused;
    const next = options.followLast ? await behindLink(grounds, parts) : null;
    if (next === null) return { kind: 'place', parts };
    if (next.kind === 'refused') return next;
    parts = next.parts;
  }
  return refuse('link', `${path} is a chain of links without an end.`);
};

function checkAllowed({ root, forbidden }: Grounds, parts: Parts, { access }: PlaceOptions): Refused | null {
  const shown = joinParts(parts).toString('utf8');
  const absolute = resolve(root, shown);
  if (forbidden.some((folder) => isInside(absolute, folder))) {
    return refuse('protected', `${shown} belongs to Skein's own files. No tool reads or writes them.`);
  }
  const name = access === 'write' ? protectedNameIn(parts) : null;
  if (name === null) return null;
  return refuse(
    'protected',
    `${shown} lies in ${name}, which tools never change. Ask the user to change it.`,
  );
}

function checkFolders({ root, forbidden }: Grounds, parts: Parts): Refused | null {
  const opened = openDir(root, splitLast(parts).folder);
  if (opened.kind === 'open') opened.dir.close();
  const shown = joinParts(parts).toString('utf8');
  if (opened.kind !== 'blocked') {
    const hidden = new Set(forbidden.map(identityOfPath));
    if (!opened.identities.some((identity) => hidden.has(identity))) return null;
    return refuse('protected', `${shown} belongs to Skein's own files. No tool reads or writes them.`);
  }
  const blocker = joinParts(parts.slice(0, opened.depth + 1)).toString('utf8');
  switch (opened.by) {
    case 'link':
      return refuse('link', `${blocker} is a link to another folder. Use the path that it leads to.`);
    case 'not_a_folder':
      return refuse('not_regular', `${blocker} is not a folder.`);
    case 'unreadable':
      return refuse('not_regular', `The folder ${blocker} cannot be opened.`);
  }
}
