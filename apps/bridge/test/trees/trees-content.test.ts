/** What a capture holds is byte for byte what lies there: tree ids equal git's own, and differences tell every change. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeDirOf } from '../../src/snapshots/trees/store-dir.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const rawPath = (bench: TreeBench, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bench.root}/`), name]);

const CASES: Readonly<Record<string, (bench: TreeBench) => void>> = {
  'an empty folder': () => undefined,
  'empty files, folders without files, and deep folders': (b) => {
    writeFileSync(b.path('empty'), '');
    mkdirSync(b.path('no/files/here'), { recursive: true });
    mkdirSync(b.path('a/b/c/d/e'), { recursive: true });
    writeFileSync(b.path('a/b/c/d/e/f'), 'deep\n');
  },
  'binary content, and a file that goes through no memory': (b) => {
    writeFileSync(b.path('bin'), bytes(0, 255, 10, 13, 0));
    writeFileSync(b.path('large'), Buffer.alloc(17 * 1024 * 1024, 'abc'));
  },
  'execution bits and links to files, folders and nowhere': (b) => {
    writeFileSync(b.path('run'), 'x', { mode: 0o755 });
    mkdirSync(b.path('dir'));
    symlinkSync('run', b.path('to-file'));
    symlinkSync('dir', b.path('to-dir'));
    symlinkSync('/nowhere/at/all', b.path('dangling'));
  },
  'names that sort around a slash': (b) => {
    writeFileSync(b.path('a.b'), '1');
    mkdirSync(b.path('a'));
    writeFileSync(b.path('a/x'), '2');
    writeFileSync(b.path('a-b'), '3');
    writeFileSync(b.path('a0'), '4');
  },
  'names with a newline, quotes, a backslash, a tab, a dash, magic and globs': (b) => {
    for (const name of [
      'new\nline',
      '"quoted"',
      'back\\slash',
      'tab\there',
      '-dash',
      ':(top)magic',
      ':!x',
      '[id].txt',
      '*',
      ' ',
    ])
      writeFileSync(b.path(name), name);
  },
  'names in every script, composed and decomposed, and bytes that are no text': (b) => {
    writeFileSync(b.path('データ'), '1');
    writeFileSync(b.path('caf\u00e9'), 'composed');
    writeFileSync(b.path('cafe\u0301'), 'decomposed');
    writeFileSync(rawPath(b, bytes(0x66, 0xff, 0xfe)), 'no utf-8');
    mkdirSync(rawPath(b, bytes(0xe9)));
    writeFileSync(rawPath(b, bytes(0xe9, 0x2f, 0x61)), 'inside');
  },
  'line ends of every kind whatever attributes and configuration say': (b) => {
    b.userGit('config', 'core.autocrlf', 'true');
    for (const [name, text] of Object.entries({
      crlf: 'a\r\nb\r\n',
      cr: 'a\rb\r',
      lf: 'a\nb\n',
      mixed: 'a\r\nb\n',
    }))
      writeFileSync(b.path(name), text);
    writeFileSync(b.path('utf16'), Buffer.from('\ufeffa\r\n', 'utf16le'));
  },
  'hard links': (b) => {
    writeFileSync(b.path('one'), 'shared');
    linkSync(b.path('one'), b.path('two'));
  },
};

test.each(Object.entries(CASES))('%s: the tree is the one git would write', async (_what, make) => {
  await using bench = await createTreeBench();
  make(bench);
  const { tree, leftOut } = await bench.capture();
  expect(leftOut).toEqual([]);
  expect(tree).toBe(bench.treeByGit());
});

test('attributes, filters and conversions of the repository change no byte', async () => {
  await using bench = await createTreeBench();
  bench.userGit('config', 'filter.lfs.clean', 'false');
  bench.userGit('config', 'filter.lfs.required', 'true');
  writeFileSync(
    bench.path('.gitattributes'),
    '* text=auto eol=lf ident\n*.exe text eol=crlf\n*.bin filter=lfs\n',
  );
  writeFileSync(bench.path('a.txt'), '$Id$\r\n');
  writeFileSync(bench.path('b.exe'), bytes(0, 10, 13, 10));
  writeFileSync(bench.path('c.bin'), 'pointer\r\n');
  const before = await bench.capture();
  const tree = await bench.tree();
  tree.hold(before);
  for (const name of ['a.txt', 'b.exe', 'c.bin']) rmSync(bench.path(name));
  const diff = tree.diff(before, await bench.capture());
  if (diff === 'lost') throw new Error('lost');
  for (const { path, before: version } of diff.changes) {
    const store = storeDirOf(join(bench.dataDir, 'snapshots', 'repos'), tree.key);
    const content = execFileSync('git', ['--git-dir', store.gitDir, 'cat-file', 'blob', version?.oid ?? '']);
    const original: Record<string, Buffer> = {
      'a.txt': Buffer.from('$Id$\r\n'),
      'b.exe': bytes(0, 10, 13, 10),
      'c.bin': Buffer.from('pointer\r\n'),
    };
    expect(content).toEqual(original[path]);
  }
});

const changesOf = async (bench: TreeBench, change: () => void): Promise<Record<string, string>> => {
  const tree = await bench.tree();
  const before = await bench.capture();
  tree.hold(before);
  change();
  const diff = tree.diff(before, await bench.capture());
  if (diff === 'lost') throw new Error('lost');
  tree.letGo(before);
  const show = (version: (typeof diff.changes)[number]['before']): string =>
    version === null
      ? 'none'
      : version.type === 'link'
        ? `link ${version.target}`
        : `${version.mode.toString(8)} ${version.bytes}`;
  return Object.fromEntries(
    diff.changes.map((one) => [one.path, `${show(one.before)} → ${show(one.after)}`]),
  );
};

test('a difference tells additions, deletions, edits, modes, and what became of files, links and folders', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('edit'), '1');
  writeFileSync(bench.path('gone'), '22');
  writeFileSync(bench.path('mode'), '333', { mode: 0o644 });
  writeFileSync(bench.path('private'), '1', { mode: 0o644 });
  writeFileSync(bench.path('to-link'), '4');
  symlinkSync('edit', bench.path('link'));
  mkdirSync(bench.path('dir/deep'), { recursive: true });
  writeFileSync(bench.path('dir/deep/x'), 'x');
  writeFileSync(bench.path('to-dir'), 'y');
  const changes = await changesOf(bench, () => {
    writeFileSync(bench.path('edit'), '55555');
    rmSync(bench.path('gone'));
    chmodSync(bench.path('mode'), 0o755);
    chmodSync(bench.path('private'), 0o600);
    rmSync(bench.path('to-link'));
    symlinkSync('mode', bench.path('to-link'));
    rmSync(bench.path('link'));
    symlinkSync('gone', bench.path('link'));
    rmSync(bench.path('dir'), { recursive: true });
    writeFileSync(bench.path('dir'), 'now a file');
    rmSync(bench.path('to-dir'));
    mkdirSync(bench.path('to-dir'));
    writeFileSync(bench.path('to-dir/z'), 'zz');
    writeFileSync(bench.path('added'), '');
  });
  expect(changes).toEqual({
    edit: '644 1 → 644 5',
    gone: '644 2 → none',
    mode: '644 3 → 755 3',
    private: '644 1 → 600 1',
    'to-link': '644 1 → link mode',
    link: 'link edit → link gone',
    'dir/deep/x': '644 1 → none',
    dir: 'none → 644 10',
    'to-dir': '644 1 → none',
    'to-dir/z': 'none → 644 2',
    added: 'none → 644 0',
  });
});

test('a file that was only touched, or ends as it began, is no change', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('touched'), 'same');
  writeFileSync(bench.path('there-and-back'), 'one');
  const changes = await changesOf(bench, () => {
    writeFileSync(bench.path('touched'), 'same');
    writeFileSync(bench.path('there-and-back'), 'two');
    writeFileSync(bench.path('there-and-back'), 'one');
  });
  expect(changes).toEqual({});
});

test('several captures in between add up to first before and last after', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('x'), 'a');
  const tree = await bench.tree();
  const before = await bench.capture();
  tree.hold(before);
  for (const text of ['bb', 'ccc', 'dddd']) {
    writeFileSync(bench.path('x'), text);
    writeFileSync(bench.path('y'), text);
    await bench.capture();
  }
  rmSync(bench.path('y'));
  const diff = tree.diff(before, await bench.capture());
  expect(
    diff === 'lost' ? diff : diff.changes.map((one) => [one.path, one.before?.bytes, one.after?.bytes]),
  ).toEqual([['x', 1, 4]]);
  tree.letGo(before);
  expect(tree.diff(before, await bench.capture())).toBe('lost');
});

test('a write in the same tick of the clock as the capture is not missed by the next one', async () => {
  await using bench = await createTreeBench();
  for (let round = 0; round < 40; round += 1) {
    writeFileSync(bench.path('x'), `${round % 10}`);
    await bench.capture();
    writeFileSync(bench.path('x'), `${(round + 1) % 10}`);
    expect((await bench.capture()).tree).toBe(bench.treeByGit());
  }
});

test('a new process reads only what changed, and still sees all of it', async () => {
  await using bench = await createTreeBench();
  mkdirSync(bench.path('d'));
  for (let at = 0; at < 300; at += 1) writeFileSync(bench.path(`d/f${at}`), `${at}`);
  await bench.capture();
  await bench.reopen();
  writeFileSync(bench.path('d/f7'), 'changed');
  renameSync(bench.path('d/f8'), bench.path('d/g8'));
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
});

test('a cache that is damaged, and one that rests on nothing any more, are done without', async () => {
  await using bench = await createTreeBench();
  mkdirSync(bench.path('d'));
  for (let at = 0; at < 300; at += 1) writeFileSync(bench.path(`d/f${at}`), `${at}`);
  await bench.capture();
  const { key } = await bench.tree();
  const { gitDir } = storeDirOf(join(bench.dataDir, 'snapshots', 'repos'), key);
  await bench.reopen();
  const [cache = ''] = execFileSync('find', [join(gitDir, 'known'), '-name', '*.cache'], {
    encoding: 'utf8',
  }).split('\n');
  const whole = readFileSync(cache);
  writeFileSync(cache, whole.subarray(0, whole.length - 3));
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
  await bench.reopen();
  rmSync(join(gitDir, 'refs', 'skein'), { recursive: true });
  mkdirSync(join(gitDir, 'refs', 'skein'));
  rmSync(join(gitDir, 'objects', 'pack'), { recursive: true });
  const { tree } = await bench.capture();
  expect(tree).toBe(bench.treeByGit());
  execFileSync('git', ['--git-dir', gitDir, 'fsck', '--full', '--strict', tree]);
});
