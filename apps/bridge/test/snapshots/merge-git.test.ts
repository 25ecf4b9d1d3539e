/** Our merge beside git's own, over many small texts: the same bytes, or a conflict. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeText } from '@skein/core/restore/merge/merge-text';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';

const dir = mkdtempSync(join(tmpdir(), 'skein-merge-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Null for a conflict. */
const byGit = (base: string, ours: string, theirs: string): string | null => {
  const paths = { ours, base, theirs };
  for (const [name, text] of Object.entries(paths)) writeFileSync(join(dir, name), text);
  const result = spawnSync('git', ['merge-file', '-p', '-q', 'ours', 'base', 'theirs'], {
    cwd: dir,
    encoding: 'latin1',
  });
  return result.status === 0 ? Buffer.from(result.stdout, 'latin1').toString('utf8') : null;
};

const ends = fc.constantFrom('\n', '\n', '\n', '\r\n');
const aText = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', 'c', '}', '', 'long line of words'), { maxLength: 12 }),
    fc.boolean(),
    ends,
  )
  .map(([lines, isEnded, end]) => lines.join(end) + (isEnded && lines.length > 0 ? end : ''));

/** Mostly the base with a few lines changed, as people and agents do. */
const anEdit = (base: string): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        fc.nat(14),
        fc.constantFrom('drop', 'add', 'change', 'twice'),
        fc.constantFrom('a', 'b', 'new', '}'),
      ),
      { maxLength: 3 },
    )
    .map((edits) => {
      const lines = base.split(/(?<=\n)/);
      for (const [at, what, text] of edits) {
        if (what === 'add') lines.splice(at, 0, `${text}\n`);
        else if (what === 'drop') lines.splice(at, 1);
        else if (what === 'change' && at < lines.length) lines[at] = `${text}\n`;
        else if (what === 'twice' && at < lines.length) lines.splice(at, 0, lines[at] ?? '');
      }
      return lines.join('');
    });

const threeTexts = fc.oneof(
  fc.tuple(aText, aText, aText),
  aText.chain((base) => fc.tuple(fc.constant(base), anEdit(base), anEdit(base))),
);

test('a merge is byte for byte what git merge-file gives, or it is a conflict', () => {
  let [clean, compared] = [0, 0];
  fc.assert(
    fc.property(threeTexts, ([base, ours, theirs]) => {
      compared += 1;
      const mine = mergeText({ base, ours, theirs });
      if (mine.kind === 'conflict') return;
      clean += 1;
      const isOneStyle = ![base, ours, theirs].some((text) => text.includes('\r'));
      if (isOneStyle) expect(mine.text).toBe(byGit(base, ours, theirs));
    }),
    { numRuns: process.env['SKEIN_TEST_LONG'] === '1' ? 50_000 : 2500, seed: 20261201 },
  );
  expect(clean / compared, 'enough of them merge for this to mean something').toBeGreaterThan(0.2);
}, 900_000);

test('where every line ends in CRLF the merge is git’s too, and CRLF stays', () => {
  const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
  const [base, ours, theirs] = ['1\n2\n3\n4\n5\n', '1\n2\n3\n4\nmine\n', 'theirs\n2\n3\n4\n5\n'].map(
    crlf,
  ) as [string, string, string];
  const merged = mergeText({ base, ours, theirs });
  expect(merged).toEqual({ kind: 'clean', text: crlf('theirs\n2\n3\n4\nmine\n') });
  expect(byGit(base, ours, theirs)).toBe(crlf('theirs\n2\n3\n4\nmine\n'));
});

test.each([
  [
    'an edit elsewhere survives',
    '1\n2\n3\n4\n5\n',
    '1\n2\n3\n4\nfive\n',
    'one\n2\n3\n4\n5\n',
    'one\n2\n3\n4\nfive\n',
  ],
  ['the same change on both sides', 'a\nb\n', 'a\nX\n', 'a\nX\n', 'a\nX\n'],
  ['no final newline on ours', 'a\nb\nc\nd', 'a\nb\nc\nD', 'A\nb\nc\nd', 'A\nb\nc\nD'],
  ['no common line', '', 'x\n', '', 'x\n'],
])('%s', (_name, base, ours, theirs, result) => {
  expect(mergeText({ base, ours, theirs })).toEqual({ kind: 'clean', text: result });
  expect(byGit(base, ours, theirs)).toBe(result);
});

test('repeated blocks that can be aligned in two ways are a conflict, never a guess', () => {
  const block = 'if (x) {\n  y();\n}\n';
  const base = block + block;
  const ours = `${block}${block}${block}`;
  const theirs = base.replace('y();', 'z();');
  expect(mergeText({ base, ours, theirs }).kind).toBe('conflict');
});

test('touching changes are a conflict, as for git', () => {
  const [base, ours, theirs] = ['a\nb\nc\n', 'A\nb\nc\n', 'a\nB\nc\n'];
  expect(mergeText({ base, ours, theirs })).toMatchObject({ kind: 'conflict', reason: 'overlap' });
  expect(byGit(base, ours, theirs)).toBeNull();
});

test('texts that are too different are not merged', () => {
  const many = (word: string): string => Array.from({ length: 1500 }, (_, at) => `${word}${at}\n`).join('');
  const outcome = mergeText({ base: many('a'), ours: many('b'), theirs: many('c') });
  expect(outcome).toEqual({ kind: 'conflict', reason: 'too_large', markers: null });
  expect(execFileSync('git', ['--version'], { encoding: 'utf8' })).toContain('git version');
});
