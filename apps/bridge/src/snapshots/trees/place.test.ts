import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findGit } from '../../platform/git.ts';
import { findTreePlace, type PlaceDeps } from './place.ts';

let home = '';
let deps: PlaceDeps | null = null;

beforeAll(async () => {
  home = join(await realpath(await mkdtemp(join(tmpdir(), 'place-'))), 'user');
  await mkdir(join(home, 'work'), { recursive: true });
  const git = await findGit('/usr/local/bin:/usr/bin:/bin');
  if (git === null) throw new Error('this test needs git');
  deps = {
    git,
    home,
    configHome: join(home, '.config'),
    tempDirs: [join(home, 'tmp')],
    own: [join(home, 'data')],
  };
});

afterAll(() => rm(dirname(home), { recursive: true, force: true }));

const kindOf = async (root: string): Promise<string> => {
  if (deps === null) throw new Error('not set up');
  return (await findTreePlace(deps, root)).kind;
};

test('the disk, the folders above the home, the home and a temp folder are not captured without git', async () => {
  const roots = ['/', dirname(home), home, join(home, 'tmp')];
  expect(await Promise.all(roots.map(kindOf))).toEqual(['unsafe', 'unsafe', 'unsafe', 'unsafe']);
});

test('a folder inside the home is captured, and one whose name only begins like the home', async () => {
  await mkdir(`${home}-2`);
  expect(await Promise.all([join(home, 'work'), `${home}-2`].map(kindOf))).toEqual(['place', 'place']);
});

test('the disk is not captured with git either, nor are Skein’s own folders, except for worktrees in them', async () => {
  const roots = ['data', 'data/snapshots', 'data/worktrees/x/y', 'data-2'].map((name) => join(home, name));
  for (const root of roots) await mkdir(root, { recursive: true });
  expect(await Promise.all(roots.map(kindOf))).toEqual(['unsafe', 'unsafe', 'place', 'place']);
});
