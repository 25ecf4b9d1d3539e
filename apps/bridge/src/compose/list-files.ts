/** Files of a workspace for `@` mentions: what git does not ignore, else a bounded walk. */
import { glob } from 'tinyglobby';
import { type Git, runGit } from '../platform/git.ts';

const MAX_FILES = 50_000;

export const listFiles = async (git: Git | null, cwd: string): Promise<readonly string[]> => {
  if (git !== null) {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const listed = await runGit(git, { cwd, args, deadlineMs: 5000 });
    if (listed.code === 0)
      return listed.stdout.toString('utf8').split('\0').filter(Boolean).slice(0, MAX_FILES);
  }
  const files = await glob('**/*', {
    cwd,
    ignore: ['**/node_modules/**', '**/.git/**'],
    deep: 8,
    followSymbolicLinks: false,
  });
  return files.slice(0, MAX_FILES);
};
