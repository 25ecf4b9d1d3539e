/**
 * Refs of a store: they keep captures from git's gc. Written in process, one file a ref; `refs/skein/latest/…` keeps what
 * the memory of a process rests on, `refs/skein/turns/<strand>/<turn>/…` what a restore may need.
 */
import { dirname, join } from 'node:path';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import { makePrivateDir, writeFileAtomic } from '../../platform/files.ts';
import { type Git, mustGit } from '../../platform/git.ts';
import { missingOf } from './read-objects.ts';
import type { StoreDir } from './store-dir.ts';

/** Durable when it resolves. Fault `io`. */
export const writeRef = async (store: StoreDir, name: string, commit: string): Promise<void> => {
  const path = join(store.gitDir, ...name.split('/'));
  await makePrivateDir(dirname(path));
  await writeFileAtomic(path, `${commit}\n`);
};

export const turnRef = (turn: { readonly strand: StrandId; readonly turn: TurnId }, at: number): string =>
  `refs/skein/turns/${turn.strand}/${turn.turn}/${at}`;

export const latestRef = (worktree: string, owner: string): string =>
  `refs/skein/latest/${worktree}/${owner}`;

export interface StoreRef {
  readonly name: string;
  readonly commit: string;
  /** Seconds since 1970, of the commit; null when the store has lost it: then the ref keeps nothing. */
  readonly at: number | null;
}

/** Also those whose commit is lost, of which `for-each-ref` alone would make a fault of the whole list. Fault `io`. */
export const listRefs = async (git: Git, store: StoreDir, under: string): Promise<readonly StoreRef[]> => {
  const listed = await mustGit(git, {
    cwd: store.gitDir,
    args: ['--git-dir', store.gitDir, 'for-each-ref', '--format=%(refname) %(objectname)', under],
  });
  const refs = linesOf(listed).map((line) => {
    const [name = '', commit = ''] = line.split(' ');
    return { name, commit };
  });
  const times = await commitTimes(
    git,
    store,
    refs.map(({ commit }) => commit),
  );
  return refs.map((ref) => ({ ...ref, at: times.get(ref.commit) ?? null }));
};

async function commitTimes(
  git: Git,
  store: StoreDir,
  commits: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const lost = new Set(await missingOf(git, store, commits));
  const there = [...new Set(commits)].filter((commit) => !lost.has(commit));
  if (there.length === 0) return new Map();
  const listed = await mustGit(git, {
    cwd: store.gitDir,
    args: ['--git-dir', store.gitDir, 'log', '--no-walk=unsorted', '--stdin', '--format=%H %ct'],
    stdin: Buffer.from(there.map((commit) => `${commit}\n`).join('')),
  });
  return new Map(
    linesOf(listed).map((line) => {
      const [commit = '', at = ''] = line.split(' ');
      return [commit, Number(at)];
    }),
  );
}

const linesOf = (output: Buffer): readonly string[] =>
  output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');

/** Each only while it still names the commit. Fault `io`. */
export const deleteRefs = async (git: Git, store: StoreDir, refs: readonly StoreRef[]): Promise<void> => {
  if (refs.length === 0) return;
  const stdin = refs.map(({ name, commit }) => `delete ${name} ${commit}\n`).join('');
  await mustGit(git, {
    cwd: store.gitDir,
    args: ['--git-dir', store.gitDir, 'update-ref', '--stdin'],
    stdin: Buffer.from(stdin),
  });
};
