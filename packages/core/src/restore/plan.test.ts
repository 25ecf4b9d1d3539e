import { expect, test } from 'vitest';
import type { Sha256 } from '../record/ids.ts';
import type { FileState } from './file-state.ts';
import { planHashInput, planRestore, type RestorePath } from './plan.ts';

const file = (content: string, mode = 0o644): FileState => ({
  type: 'file',
  sha256: content.padEnd(64, '0') as Sha256,
  bytes: content.length,
  mode,
});
const absent: FileState = { type: 'absent' };
const link = (target: string): FileState => ({ type: 'link', target });
const folder = (empty: boolean): FileState => ({ type: 'dir', mode: 0o755, empty });
const fifo: FileState = { type: 'other', reason: 'a FIFO' };
const A = file('a');
const B = file('b');
const C = file('c');

const path = (more: Partial<RestorePath>): RestorePath => ({
  path: 'dir/f.txt',
  theirs: A,
  base: B,
  ours: B,
  parents: 'ok',
  missingDirs: [],
  madeDirs: [],
  ...more,
});
const verdict = (more: Partial<RestorePath>): string => {
  const { steps, conflicts, nothing } = planRestore({ paths: [path(more)] });
  expect(steps.length + conflicts.length + nothing.length).toBe(1);
  return steps[0]?.action ?? conflicts[0]?.reason ?? 'nothing';
};

test.each([
  // what undo returns to, what the turn left, what is there now
  ['write', 'the turn changed it and nobody since', { theirs: A, base: B, ours: B }],
  ['delete', 'the turn created it and nobody touched it', { theirs: absent, base: B, ours: B }],
  ['create', 'the turn deleted it and nothing is there', { theirs: A, base: absent, ours: absent }],
  ['write', 'the turn changed only the mode', { theirs: file('a', 0o755), base: file('a'), ours: file('a') }],
  ['write', 'the turn replaced a link by a file', { theirs: link('x'), base: B, ours: B }],
  ['write', 'the turn replaced a file by a link', { theirs: A, base: link('x'), ours: link('x') }],
  ['nothing', 'it is already as it was', { theirs: A, base: B, ours: A }],
  ['nothing', 'the user deleted what the turn created', { theirs: absent, base: B, ours: absent }],
  ['nothing', 'the user brought back what the turn deleted', { theirs: A, base: absent, ours: A }],
  ['nothing', 'the turn left it as it was, the user changed it', { theirs: A, base: A, ours: C }],
  ['changed_since', 'the user edited it', { theirs: A, base: B, ours: C }],
  ['changed_since', 'the user edited what the turn created', { theirs: absent, base: B, ours: C }],
  ['changed_since', 'same bytes, but a mode that is neither', { theirs: A, base: B, ours: file('b', 0o700) }],
  [
    'changed_since',
    'only modes: the user chose a third',
    { theirs: file('a', 0o755), base: file('a', 0o644), ours: file('a', 0o600) },
  ],
  [
    'changed_since',
    'bytes of before with the mode of after',
    { theirs: file('a', 0o755), base: file('b', 0o644), ours: file('a', 0o644) },
  ],
  ['changed_since', 'the user pointed the link elsewhere', { theirs: A, base: link('x'), ours: link('y') }],
  ['deleted_since', 'the user deleted it', { theirs: A, base: B, ours: absent }],
  ['created_since', 'the user made a file where the turn deleted one', { theirs: A, base: absent, ours: C }],
  ['created_since', 'the user made a link there', { theirs: A, base: absent, ours: link('x') }],
  ['type_changed', 'the user replaced it by a link', { theirs: A, base: B, ours: link('x') }],
  ['type_changed', 'a parent became a file', { theirs: A, base: B, ours: absent, parents: 'not_dir' }],
  [
    'nothing',
    'a parent became a file, and nothing should be there',
    { theirs: absent, base: B, ours: absent, parents: 'not_dir' },
  ],
  ['folder_in_the_way', 'a folder with files is there', { theirs: A, base: absent, ours: folder(false) }],
  ['folder_in_the_way', 'an empty folder is there', { theirs: A, base: B, ours: folder(true) }],
  ['link_in_the_way', 'a parent became a link', { theirs: A, base: B, ours: B, parents: 'link' }],
  [
    'link_in_the_way',
    'a parent became a link, and nothing should be there',
    { theirs: absent, base: B, ours: absent, parents: 'link' },
  ],
  ['unreadable', 'it cannot be read now', { theirs: A, base: B, ours: fifo }],
  ['unreadable', 'what was there cannot be restored', { theirs: fifo, base: B, ours: B }],
] as const)('%s: %s', (expected, _, states) => {
  expect(verdict(states)).toBe(expected);
});

test('a change of mode alone is a step that leaves the bytes alone', () => {
  const [step] = planRestore({ paths: [path({ theirs: file('b', 0o755) })] }).steps;
  expect(step).toMatchObject({ action: 'write', result: file('b', 0o755) });
});

test('a deleted file takes the folders along that the turn made, innermost first', () => {
  const [step] = planRestore({ paths: [path({ theirs: absent, madeDirs: ['a', 'a/b'] })] }).steps;
  expect(step).toMatchObject({ madeDirs: [], dropDirs: ['a/b', 'a'] });
});

test('a file that comes back gets its missing folders', () => {
  const [step] = planRestore({
    paths: [path({ base: absent, ours: absent, missingDirs: ['a', 'a/b'] })],
  }).steps;
  expect(step).toMatchObject({ action: 'create', madeDirs: ['a', 'a/b'], dropDirs: [] });
});

test('every path is judged by itself and all lists are sorted', () => {
  const plan = planRestore({
    paths: [
      path({ path: 'z' }),
      path({ path: 'b', ours: C }),
      path({ path: 'a' }),
      path({ path: { b64: '/w==' }, ours: A }),
    ],
  });
  expect(plan.steps.map((step) => step.path)).toEqual(['a', 'z']);
  expect(plan.conflicts).toMatchObject([{ path: 'b', reason: 'changed_since', ours: C, theirs: A }]);
  expect(plan.nothing.map((item) => item.path)).toEqual([{ b64: '/w==' }]);
});

test('the text to be hashed changes with any state on disk, and not with the order of the paths', () => {
  const hash = (more: Partial<RestorePath>, target: string[] = []) =>
    planHashInput(planRestore({ paths: [path({ path: 'x' }), path({ path: 'y', ...more })] }), target);
  const texts = [
    hash({}),
    hash({ ours: A }),
    hash({ ours: C }),
    hash({ ours: absent }),
    hash({ theirs: C }),
    hash({ ours: link('q') }),
    hash({}, ['t2']),
  ];
  expect(new Set(texts).size).toBe(texts.length);
  const swapped = planRestore({ paths: [path({ path: 'y' }), path({ path: 'x' })] });
  expect(planHashInput(swapped)).toBe(hash({}));
});
