import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BlameVersion, blameLines } from './blame-lines.ts';

const version = (by: string | null, text: string): BlameVersion<string> => ({ by, lines: [...text] });

test('a line belongs to the turn that wrote it last, the rest to the user', () => {
  const versions = [version(null, 'ab'), version('t1', 'axb'), version(null, 'axyb'), version('t2', 'axyc')];
  expect(blameLines(versions)).toEqual([null, 't1', null, 't2']);
});

test('a line that was taken out and written again belongs to whoever wrote it again', () => {
  expect(blameLines([version('t1', 'ab'), version('t2', 'a'), version(null, 'abc')])).toEqual([
    't1',
    null,
    null,
  ]);
});

test('an undo gives the lines back to those who had written them', () => {
  const versions = [version('t1', 'ab'), version('t2', 'xy'), version(null, 'ab')];
  expect(blameLines(versions)).toEqual(['t1', 't1']);
});

test('nothing was written: nobody is named', () => {
  expect(blameLines([])).toEqual([]);
  expect(blameLines([version('t1', 'a'), version(null, '')])).toEqual([]);
});

test('each line has an answer, and every line of a new text is its writer’s', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (texts) => {
      const writers = blameLines(texts.map((one, at) => version(`t${at}`, one)));
      expect(writers).toHaveLength(texts.at(-1)?.length ?? 0);
      const fresh = [...(texts.at(-1) ?? '')].every(
        (line) => !texts.slice(0, -1).some((one) => one.includes(line)),
      );
      if (fresh) expect(writers.every((by) => by === `t${texts.length - 1}`)).toBe(true);
    }),
  );
});
