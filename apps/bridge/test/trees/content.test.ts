import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesOf, during } from './diffs.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

/** The tree is git's own, and the store has everything that it names. */
const expectAsGit = async (bench: TreeBench): Promise<void> => {
  const capture = await bench.capture();
  expect(capture.tree).toBe(bench.treeByGit());
  expect(capture.leftOut).toEqual([]);
  await bench.storeGit('rev-list', '--objects', '--quiet', capture.commit);
  // As another process would begin.
  await bench.reopen();
  expect((await bench.capture()).tree).toBe(capture.tree);
};

test('an empty work tree is the empty tree', async () => {
  await using bench = await createTreeBench();
  await expectAsGit(bench);
  mkdirSync(bench.path('empty/deep'), { recursive: true });
  await expectAsGit(bench);
});

test('files that are added, changed, renamed and deleted make the trees that git makes', async () => {
  await using bench = await createTreeBench();
  const steps: (() => void)[] = [
    () => writeFileSync(bench.path('a'), 'a'),
    () => mkdirSync(bench.path('d/e'), { recursive: true }),
    () => writeFileSync(bench.path('d/e/binary'), Buffer.from([0, 1, 2, 255, 0, 10])),
    () => writeFileSync(bench.path('empty'), ''),
    () => appendFileSync(bench.path('a'), 'b'),
    () => renameSync(bench.path('a'), bench.path('d/b')),
    () => renameSync(bench.path('d'), bench.path('x')),
    () => writeFileSync(bench.path('run'), '#!/bin/sh\n', { mode: 0o755 }),
    () => chmodSync(bench.path('run'), 0o644),
    () => rmSync(bench.path('x/e/binary')),
    () => rmSync(bench.path('x'), { recursive: true }),
    () => rmSync(bench.path('run')),
  ];
  for (const step of steps) {
    step();
    await expectAsGit(bench);
  }
});

test('links are captured as links, wherever they lead', async () => {
  await using bench = await createTreeBench();
  mkdirSync(bench.path('dir'));
  writeFileSync(bench.path('dir/f'), 'f');
  symlinkSync('dir/f', bench.path('to-file'));
  symlinkSync('dir', bench.path('to-dir'));
  symlinkSync('/nowhere/at/all', bench.path('dangling'));
  symlinkSync('..', bench.path('dir/up'));
  symlinkSync(Buffer.from('\xff\xfe', 'latin1'), bench.path('odd'));
  await expectAsGit(bench);
  const paths = await bench.pathsIn(await bench.capture());
  expect(paths).toEqual(['dangling', 'dir/f', 'dir/up', 'odd', 'to-dir', 'to-file']);
});

test('a name goes through file, link and folder and is right each time', async () => {
  await using bench = await createTreeBench();
  const target = bench.path('x');
  const outside = join(bench.home, 'outside');
  mkdirSync(join(outside, 'x/sub'), { recursive: true });
  writeFileSync(join(outside, 'x/sub/secret'), 'not ours');
  const kinds: Record<string, () => void> = {
    file: () => writeFileSync(target, 'file'),
    link: () => symlinkSync('elsewhere', target),
    folder: () => {
      mkdirSync(join(target, 'sub'), { recursive: true });
      writeFileSync(join(target, 'sub/f'), 'f');
    },
    linkToFolder: () => symlinkSync(join(outside, 'x'), target),
    nothing: () => undefined,
  };
  for (const from of Object.values(kinds)) {
    for (const to of Object.values(kinds)) {
      rmSync(target, { recursive: true, force: true });
      from();
      await bench.capture();
      rmSync(target, { recursive: true, force: true });
      to();
      expect((await bench.capture()).tree).toBe(bench.treeByGit());
    }
  }
});

const ODD_NAMES = [
  'new\nline',
  'quo"te',
  "apo'strophe",
  'back\\slash',
  'tab\there',
  '-leading',
  '--help',
  ':(top)x',
  ':(exclude)y',
  ':!z',
  '[id].txt',
  'i.txt',
  '*',
  ' space ',
  '#hash',
  '!bang',
  '日本語',
  'e\u0301',
  '\u00e9',
  '😀',
  '.hidden',
  '...',
  'CON',
  'con',
];

test('odd names are bytes and nothing else', async () => {
  await using bench = await createTreeBench();
  for (const name of ODD_NAMES) {
    writeFileSync(bench.path(name), name);
    mkdirSync(bench.path(`d-${name}`));
    writeFileSync(bench.path(`d-${name}/${name}`), name);
  }
  const raw = Buffer.concat([Buffer.from(bench.root), Buffer.from('/\xff\xfe\x80', 'latin1')]);
  writeFileSync(raw, 'not utf-8');
  await expectAsGit(bench);
  const paths = await bench.pathsIn(await bench.capture());
  expect(paths).toHaveLength(ODD_NAMES.length * 2 + 1);
  expect(paths).toContain('\xff\xfe\x80');
});

test('no attribute, filter or setting touches a byte', async () => {
  await using bench = await createTreeBench();
  bench.userGit('config', 'core.autocrlf', 'true');
  bench.userGit('config', 'core.eol', 'crlf');
  bench.userGit('config', 'filter.lfs.clean', 'git-lfs clean -- %f');
  bench.userGit('config', 'filter.lfs.required', 'true');
  const contents: Record<string, string | Buffer> = {
    'crlf.txt': 'a\r\nb\r\n',
    'mixed.txt': 'a\r\nb\nc\rd',
    'lone-cr.txt': 'a\rb\r',
    'utf16.txt': Buffer.from('\ufeffhéllo\r\n', 'utf16le'),
    'app.exe': Buffer.from('MZ\r\n\0\n\r\n'),
    'ident.txt': '$Id$ $Id: abc $\n',
    'pointer.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(bench.path(name), content);
  const plain = await bench.capture();
  expect(plain.tree).toBe(bench.treeByGit());
  const attributes = '* text=auto eol=lf ident\n*.exe text eol=crlf\n*.bin filter=lfs\n';
  writeFileSync(bench.path('.gitattributes'), `${attributes}utf16.txt working-tree-encoding=UTF-16LE\n`);
  const capture = await bench.capture();
  for (const [name, content] of Object.entries(contents)) {
    const blob = await bench.storeGit('cat-file', 'blob', `${capture.commit}:${name}`);
    expect(Buffer.from(blob, 'latin1')).toEqual(Buffer.from(content));
  }
});

test('folders sort among files as git sorts them', async () => {
  await using bench = await createTreeBench();
  mkdirSync(bench.path('a'));
  writeFileSync(bench.path('a/x'), 'x');
  for (const name of ['a.b', 'a-b', 'a0', 'aa', 'A', 'b']) writeFileSync(bench.path(name), name);
  await expectAsGit(bench);
  expect(await bench.storeGit('fsck', '--full', '--strict')).not.toMatch(/error/);
});

test('a deep folder and a long name are captured', async () => {
  await using bench = await createTreeBench();
  const deep = Array.from({ length: 40 }, (_, at) => `d${at}`).join('/');
  mkdirSync(bench.path(deep), { recursive: true });
  writeFileSync(bench.path(`${deep}/f`), 'deep');
  writeFileSync(bench.path('n'.repeat(255)), 'long');
  await expectAsGit(bench);
});

test('a path longer than the system takes is left out and named, the rest is captured', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('a'), 'a');
  const name = 'n'.repeat(250);
  execFileSync('/bin/sh', [
    '-c',
    `cd "$0"; for i in $(seq 20); do mkdir ${name}; cd -P ${name} 2>/dev/null || cd ${name}; done; echo x > f`,
    bench.root,
  ]);
  const capture = await bench.capture();
  expect(await bench.pathsIn(capture)).toEqual(['a']);
  expect(capture.leftOut.map(({ reason }) => reason)).toEqual(['unreadable']);
  execFileSync('/bin/rm', ['-rf', bench.path(name)]);
});

test('every name of a hard-linked file is captured', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('one'), 'same');
  linkSync(bench.path('one'), bench.path('two'));
  await expectAsGit(bench);
  writeFileSync(bench.path('two'), 'both changed');
  await expectAsGit(bench);
});

test('a file too large for memory is read in pieces, one over the limit is left out and named', async () => {
  await using bench = await createTreeBench({ deps: { maxFileBytes: 24 * 1024 * 1024 } });
  const long = Buffer.alloc(17 * 1024 * 1024 + 3, 'some text that is repeated ');
  writeFileSync(bench.path('long'), long);
  await expectAsGit(bench);
  writeFileSync(bench.path('sparse'), '');
  truncateSync(bench.path('sparse'), 40 * 1024 * 1024);
  const capture = await bench.capture();
  expect(capture.leftOut).toEqual([{ path: 'sparse', reason: 'too_large' }]);
  expect(await bench.pathsIn(capture)).toEqual(['long']);
  expect(await bench.storeGit('fsck', '--full', '--strict')).not.toMatch(/error/);
});

test('every permission bit is seen, although git keeps only one', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('secret'), 'x', { mode: 0o600 });
  const tree = await bench.tree();
  const { from, to, diff } = await during(tree, () => chmodSync(bench.path('secret'), 0o644));
  expect(to.tree).toBe(from.tree);
  expect(changesOf(diff)).toEqual({ secret: 'file 600 1 > file 644 1' });
});

test('a case-only rename is a deletion and an addition', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('Foo'), 'foo');
  const { diff } = await during(await bench.tree(), () => renameSync(bench.path('Foo'), bench.path('foo')));
  expect(changesOf(diff)).toEqual({ Foo: 'file 644 3 > -', foo: '- > file 644 3' });
});

test('content of the same size written in the same moment is seen', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('f'), '0000');
  symlinkSync('0000', bench.path('l'));
  for (let at = 1; at < 15; at += 1) {
    await bench.capture();
    const text = String(at).padStart(4, '0');
    writeFileSync(bench.path('f'), text);
    rmSync(bench.path('l'));
    symlinkSync(text, bench.path('l'));
    const capture = await bench.capture();
    expect(await bench.storeGit('cat-file', 'blob', `${capture.commit}:f`)).toBe(text);
    expect(await bench.storeGit('cat-file', 'blob', `${capture.commit}:l`)).toBe(text);
  }
});
