/**
 * Names that neither a tool nor a restore ever writes: what they hold can make git or an agent run commands
 * (requirements 57). At any depth, since repositories and workspaces nest. Git's own rules for look-alikes apply:
 * letter case, HFS+ characters that are ignored, NTFS short names, trailing dots, spaces and streams.
 */
import type { Parts } from './tree-path.ts';

const PROTECTED: ReadonlySet<string> = new Set(['.git', 'git~1', '.skein', '.claude', '.mcp.json']);
/** `is_hfs_dotgit` in git's utf8.c. */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The first protected name on the path, null when there is none. */
export const protectedNameIn = (parts: Parts): string | null => {
  for (const part of parts) {
    const name = Buffer.from(part).toString('utf8');
    if (isProtectedName(name)) return name;
  }
  return null;
};

export const isProtectedName = (name: string): boolean => {
  const folded = name.replace(HFS_IGNORED, '').toLowerCase();
  const onWindows = (folded.split(':')[0] ?? '').replace(/[. ]+$/, '');
  return PROTECTED.has(folded) || PROTECTED.has(onWindows);
};
