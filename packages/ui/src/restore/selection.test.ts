import type { RestoreRequest, RestoreResult } from '@skein/core/protocol/restore';
import { expect, test } from 'vitest';
import {
  checkedOf,
  chosenRequest,
  EVERYTHING,
  withChoice,
  withFile,
  withHunk,
  withUnattributed,
} from './selection.ts';

const REQUEST = { strand: 'a00000000001', direction: 'undo', scope: 'both' } as RestoreRequest;
const hunk = (id: string) => ({ id, nowStart: 1, nowLines: 1, thenStart: 1, thenLines: 1 });
const file = (path: string, ...ids: string[]): RestoreResult['files'][number] =>
  ({ path, action: 'write', hunks: ids.map(hunk), laterTurns: [], now: '', binary: false, ...{} }) as never;
const PREVIEW = {
  files: [file('a', 'a1', 'a2'), file('b')],
  conflicts: [],
  unattributed: ['u'],
} as unknown as RestoreResult;

test('everything chosen asks for what was asked for', () => {
  expect(chosenRequest(REQUEST, PREVIEW, EVERYTHING)).toEqual(REQUEST);
});

test('a hunk that is taken out leaves the others of its file, and the conversation where it is', () => {
  const selection = withHunk(EVERYTHING, 'a1', false);
  expect(checkedOf(selection, file('a', 'a1', 'a2'))).toBe('some');
  expect(chosenRequest(REQUEST, PREVIEW, selection)).toEqual({
    ...REQUEST,
    scope: 'files',
    paths: ['b'],
    hunks: ['a2'],
  });
});

test('a file that is taken out goes with all its hunks; with nothing left there is nothing to ask for', () => {
  const without = withFile(EVERYTHING, file('a', 'a1', 'a2'), false);
  expect(chosenRequest(REQUEST, PREVIEW, without)).toEqual({ ...REQUEST, scope: 'files', paths: ['b'] });
  expect(chosenRequest(REQUEST, PREVIEW, withFile(without, file('b'), false))).toBeNull();
});

test('an unattributed file comes along only when it is taken in', () => {
  const request = chosenRequest(REQUEST, PREVIEW, withUnattributed(EVERYTHING, 'u', true));
  expect(request?.paths).toEqual(['a', 'b', 'u']);
});

test('choices are sent for the conflicts that are still there', () => {
  const selection = withChoice(withChoice(EVERYTHING, 'c', 'mine'), 'gone', 'before');
  const preview = { ...PREVIEW, conflicts: [{ path: 'c' }] } as unknown as RestoreResult;
  expect(chosenRequest(REQUEST, preview, selection)).toEqual({
    ...REQUEST,
    choices: [{ path: 'c', choice: 'mine' }],
  });
});
