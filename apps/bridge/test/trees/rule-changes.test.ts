import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changesOf, during, leftOutOf, unknownOf } from './diffs.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

const put = (bench: TreeBench, name: string, text = name): void => {
  mkdirSync(dirname(bench.path(name)), { recursive: true });
  writeFileSync(bench.path(name), text);
};

describe.each([{ watch: false }, { watch: true }])('with watch $watch', (deps) => {
  const open = (): Promise<TreeBench> => createTreeBench({ deps });

  test('files that come into sight were there before; a new file is new', async () => {
    await using bench = await open();
    put(bench, '.gitignore', '.env\nprivate/\n');
    put(bench, '.env', 'secret');
    put(bench, 'private/key');
    const { to, diff } = await during(await bench.tree(), () => {
      put(bench, '.gitignore', '# nothing\n');
      put(bench, 'really-new');
    });
    expect(changesOf(diff)).toEqual({
      '.gitignore': 'file 644 14 > file 644 10',
      'really-new': '- > file 644 10',
    });
    expect(unknownOf(diff)).toEqual({ '.env': 'unignored', 'private/key': 'unignored' });
    expect(to.tree).toBe(bench.treeByGit());
  });

  test('files that go out of sight are not deleted, files that are deleted are', async () => {
    await using bench = await open();
    for (const name of ['stays', 'hidden', 'd/hidden-too', 'gone']) put(bench, name);
    const { to, diff } = await during(await bench.tree(), () => {
      put(bench, '.gitignore', 'hidden\nd/\ngone\n');
      rmSync(bench.path('gone'));
    });
    expect(changesOf(diff)).toEqual({ '.gitignore': '- > file 644 15', gone: 'file 644 4 > -' });
    expect(await bench.pathsIn(to)).toEqual(['.gitignore', 'stays']);
  });

  test('rules that are not captured themselves hide what nobody can tell', async () => {
    await using bench = await open();
    writeFileSync(bench.path('.git/info/exclude'), '.gitignore\n');
    put(bench, 'd/.gitignore', '.env\n');
    put(bench, 'd/.env', 'secret');
    put(bench, 'other/f');
    const { diff } = await during(await bench.tree(), () => {
      rmSync(bench.path('d/.gitignore'));
      put(bench, 'other/new');
    });
    expect(changesOf(diff)).toEqual({ 'other/new': '- > file 644 9' });
    expect(unknownOf(diff)).toEqual({ 'd/.env': 'unignored' });
  });

  test('rules outside the work tree shield in the same way', async () => {
    await using bench = await open();
    writeFileSync(bench.path('.git/info/exclude'), 'by-info\n');
    mkdirSync(join(bench.home, '.config/git'), { recursive: true });
    writeFileSync(join(bench.home, '.config/git/ignore'), 'by-user\n');
    for (const name of ['by-info', 'by-user', 'f']) put(bench, name);
    const from = await bench.capture();
    const tree = await bench.tree();
    tree.hold(from);
    writeFileSync(bench.path('.git/info/exclude'), '\n');
    writeFileSync(join(bench.home, '.config/git/ignore'), '');
    put(bench, 'new');
    const to = await bench.capture();
    expect(await bench.pathsIn(to)).toEqual(['by-info', 'by-user', 'f', 'new']);
    expect(changesOf(tree.diff(from, to))).toEqual({ new: '- > file 644 3' });
    expect(unknownOf(tree.diff(from, to))).toEqual({ 'by-info': 'unignored', 'by-user': 'unignored' });
  });

  test('rules change while a folder becomes a link, and the capture goes on', async () => {
    await using bench = await open();
    const outside = join(bench.home, 'outside');
    mkdirSync(join(outside, 'e'), { recursive: true });
    writeFileSync(join(outside, 'e/secret'), 'not ours');
    for (const name of ['d/e/f', 'd/g', 'a']) put(bench, name);
    await bench.capture();
    renameSync(bench.path('d'), join(bench.home, 'd'));
    symlinkSync(outside, bench.path('d'));
    put(bench, '.gitignore', 'nothing\n');
    const capture = await bench.capture();
    expect(capture.tree).toBe(bench.treeByGit());
    expect(await bench.pathsIn(capture)).toEqual(['.gitignore', 'a', 'd']);
  });

  test('a link in the place of rules is no rule, as for git', async () => {
    await using bench = await open();
    put(bench, 'rules', 'f\n');
    symlinkSync('rules', bench.path('.gitignore'));
    put(bench, 'f');
    expect(await bench.pathsIn(await bench.capture())).toContain('f');
    const { diff } = await during(await bench.tree(), () => {
      rmSync(bench.path('.gitignore'));
      put(bench, '.gitignore', 'g\n');
      put(bench, 'new');
    });
    expect(Object.keys(changesOf(diff)).sort()).toEqual(['.gitignore', 'new']);
  });

  test('a rule written again in the same moment, with the same size, is in force', async () => {
    await using bench = await open();
    for (const name of ['x1', 'x2']) put(bench, name);
    for (let at = 0; at < 6; at += 1) {
      put(bench, '.gitignore', `x${(at % 2) + 1}\n`);
      const hidden = `x${(at % 2) + 1}`;
      expect(await bench.pathsIn(await bench.capture())).not.toContain(hidden);
    }
  });

  test('nested repositories are left out whole and named, from the moment they are one', async () => {
    await using bench = await open();
    put(bench, 'f');
    put(bench, 'folder/.git/HEAD', 'ref: refs/heads/main\n');
    put(bench, 'folder/inside');
    put(bench, 'by-file/.git', 'gitdir: ../elsewhere\n');
    put(bench, 'by-file/inside');
    put(bench, 'becomes/inside');
    bench.userGit('init', '-q', 'commitless');
    put(bench, 'commitless/sub/inside');
    const nested = { folder: 'nested', 'by-file': 'nested', commitless: 'nested' };
    const tree = await bench.tree();
    const { from, to, diff } = await during(tree, () => {
      bench.userGit('init', '-q', 'becomes');
      put(bench, 'becomes/later/deep');
      put(bench, 'folder/sub/new');
    });
    expect(leftOutOf(from)).toEqual(nested);
    expect(await bench.pathsIn(from)).toEqual(['becomes/inside', 'f']);
    expect(leftOutOf(to)).toEqual({ ...nested, becomes: 'nested' });
    expect(await bench.pathsIn(to)).toEqual(['f']);
    expect(changesOf(diff)).toEqual({});
    expect(unknownOf(diff)).toMatchObject({ becomes: 'nested' });
    const removed = await during(tree, () => rmSync(bench.path('folder/.git'), { recursive: true }));
    expect(await bench.pathsIn(removed.to)).toEqual(['f', 'folder/inside', 'folder/sub/new']);
    // They were there before: nobody created them.
    expect(changesOf(removed.diff)).toEqual({});
    const edited = await during(tree, () => appendFileSync(bench.path('folder/sub/new'), '+'));
    expect(Object.keys(changesOf(edited.diff))).toEqual(['folder/sub/new']);
    expect((await tree.capture()).tree).toBe(edited.to.tree);
  });
});

test('a submodule is left out and named', async () => {
  await using bench = await createTreeBench();
  const library = join(bench.home, 'library');
  bench.userGit('init', '-q', library);
  bench.userGit('-C', library, 'commit', '-q', '--allow-empty', '-m', 'one');
  bench.userGit('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub');
  put(bench, 'sub/new');
  const capture = await bench.capture();
  expect(await bench.pathsIn(capture)).toEqual(['.gitmodules']);
  expect(leftOutOf(capture)).toEqual({ sub: 'nested' });
});
