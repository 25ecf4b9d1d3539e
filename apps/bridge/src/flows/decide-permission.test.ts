import type { PermissionRequest } from '@skein/core/protocol/turns';
import { strandIdSchema } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { createPermissionDesk } from '../agents/permission-desk.ts';
import { newRecordId } from '../platform/ids.ts';
import { createDecidePermission } from './decide-permission.ts';

const A = strandIdSchema.parse('aaaaaaaaaaaa');
const B = strandIdSchema.parse('bbbbbbbbbbbb');

const open = () => {
  const desk = createPermissionDesk();
  const remembered: string[] = [];
  const request: PermissionRequest = {
    id: 'p1',
    strand: A,
    turn: newRecordId(),
    call: 'c',
    tool: 'bash',
    at: '2026-01-01T00:00:00.000Z',
    title: 'bash',
    command: 'rm -rf build',
    edit: null,
    rule: 'bash(rm)',
  };
  const answer = desk.wait(request, new AbortController().signal);
  const decide = createDecidePermission({
    desk,
    remember: async (_, rule) => {
      remembered.push(rule);
      return true;
    },
  });
  return { decide, answer, remembered };
};

test('"always" leaves no rule behind when another window has denied first, even in the same moment', async () => {
  const { decide, answer, remembered } = open();
  const answers = await Promise.all([
    decide({ id: 'p1', strand: A, decision: 'deny' }),
    decide({ id: 'p1', strand: A, decision: 'always' }),
  ]);
  expect(answers).toEqual([
    { accepted: true, saved: false },
    { accepted: false, saved: false },
  ]);
  expect(await answer).toEqual({ kind: 'deny', reason: null });
  expect(remembered).toEqual([]);
});

test('a deny that comes while the rule of an "always" is saved does not count', async () => {
  const { decide, answer, remembered } = open();
  const answers = await Promise.all([
    decide({ id: 'p1', strand: A, decision: 'always' }),
    decide({ id: 'p1', strand: A, decision: 'deny' }),
  ]);
  expect(answers).toEqual([
    { accepted: true, saved: true },
    { accepted: false, saved: false },
  ]);
  expect(await answer).toEqual({ kind: 'always' });
  expect(remembered).toEqual(['bash(rm)']);
});

test('a request of another session is not answered', async () => {
  const { decide, remembered } = open();
  expect(await decide({ id: 'p1', strand: B, decision: 'always' })).toEqual({
    accepted: false,
    saved: false,
  });
  expect(remembered).toEqual([]);
});
