/** Where a link at the end of a path leads. Its target is bytes: a name that is not UTF-8 is never read as another. */
import { openDir } from '../platform/tree-files.ts';
import { readLinkTarget } from '../platform/tree-files-read.ts';
import { belowRoot, type Grounds, type Place } from './below-root.ts';
import { refuse } from './refusal.ts';
import { joinParts, type Parts, splitBytes, splitLast } from './tree-path.ts';

/** Null when there is no link. Folders on the way to the place are for the caller to check. */
export const behindLink = async (grounds: Grounds, parts: Parts): Promise<Place | null> => {
  const target = linkTarget(grounds, parts);
  if (target === null) return null;
  const inside = insideBytes(grounds.root, target);
  if (inside !== null) return walk({ from: [], target: inside, link: parts });
  if (target[0] !== SLASH) return walk({ from: splitLast(parts).folder, target, link: parts });
  const text = target.toString('utf8');
  const place = Buffer.from(text, 'utf8').equals(target) ? await belowRoot(grounds, text) : null;
  return place?.kind === 'place' ? place : leadsOutside(parts);
};

const SLASH = 0x2f;

const leadsOutside = (link: Parts) =>
  refuse('link', `${joinParts(link).toString('utf8')} is a link that leads outside the workspace.`);

function linkTarget({ root }: Grounds, parts: Parts): Buffer | null {
  const { folder, name } = splitLast(parts);
  const opened = openDir(root, folder);
  if (opened.kind !== 'open') return null;
  try {
    return readLinkTarget(opened.dir, name);
  } finally {
    opened.dir.close();
  }
}

/** What follows the root in an absolute target; null when it does not begin with the root. */
function insideBytes(root: string, target: Buffer): Buffer | null {
  const prefix = Buffer.from(root.endsWith('/') ? root : `${root}/`, 'utf8');
  return target.subarray(0, prefix.length).equals(prefix) ? target.subarray(prefix.length) : null;
}

function walk({
  from,
  target,
  link,
}: {
  readonly from: Parts;
  readonly target: Buffer;
  readonly link: Parts;
}): Place {
  const walked: Uint8Array[] = [...from];
  let named = false;
  for (const part of splitBytes(target)) {
    const text = part.toString('latin1');
    if (text === '' || text === '.') continue;
    if (text !== '..') {
      walked.push(part);
      named = true;
    } else if (named || walked.pop() === undefined) {
      // After a name, `..` goes up from wherever that name leads, which may be a link again: not worth guessing.
      return leadsOutside(link);
    }
  }
  if (walked.length > 0) return { kind: 'place', parts: walked };
  return refuse(
    'not_regular',
    `${joinParts(link).toString('utf8')} is a link to the workspace folder itself.`,
  );
}
