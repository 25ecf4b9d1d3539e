import { transcriptOf } from '@skein/core/document/transcript';
import { aStrand } from '@skein/core/testing/a-strand';
import { expect, test } from 'vitest';
import { endOf, stepsSince } from './steps-since.ts';

const session = () => aStrand().exchange('one', 'first').exchange('two', 'second');
const blocksOf = (strand: ReturnType<typeof aStrand>) => transcriptOf(strand.state(), null);

test('earlier turns that load above are not new', () => {
  const all = blocksOf(session());
  const end = endOf(all.slice(-1));
  expect(end && stepsSince(all, end)).toBe(0);
});

test('a new turn and its steps are counted', () => {
  const end = endOf(blocksOf(session()));
  expect(end && stepsSince(blocksOf(session().prompt('three').answer('third')), end)).toBe(2);
});

test('steps added to the turn that was last are counted', () => {
  const end = endOf(blocksOf(session().prompt('three')));
  expect(end && stepsSince(blocksOf(session().prompt('three').answer('a').answer('b')), end)).toBe(2);
});
