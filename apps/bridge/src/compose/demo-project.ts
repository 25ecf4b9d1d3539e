/** The demo's project as real files in a temp folder, a git repository when git is there. */
import { chmod, mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { demoFiles } from '@skein/core/demo/project';
import { type Git, mustGit } from '../platform/git.ts';

const WHO = ['-c', 'user.name=Skein demo', '-c', 'user.email=demo@skein.invalid'];

export const makeDemoProject = async (git: Git | null): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'skein-demo-')));
  for (const file of demoFiles) {
    const path = join(folder, file.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.text);
    if (file.mode !== undefined) await chmod(path, file.mode);
  }
  if (git === null) return folder;
  const run = (args: readonly string[]): Promise<unknown> => mustGit(git, { cwd: folder, args: [...args] });
  await run(['init', '-q', '-b', 'main']);
  await run(['add', '-A']);
  await run([...WHO, 'commit', '-q', '-m', 'Start of the demo']);
  return folder;
};
