import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strandIdSchema } from '@skein/core/record/ids';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSettings } from '../settings/settings.ts';
import { createSessionRules } from './session-rules.ts';

const A = strandIdSchema.parse('aaaaaaaaaaaa');
const NONE = { key: undefined, baseUrl: undefined };

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'skein-rules-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const open = () =>
  openSettings({
    configDir: dir,
    dataDir: dir,
    environment: { anthropic: NONE, openai: NONE, google: NONE },
  });

test('two "always" at once are both saved, beside what was there', async () => {
  const permissions = { allow: ['bash(ls)'], deny: ['bash(rm)'] };
  await writeFile(join(dir, 'config.json'), JSON.stringify({ own: 1, permissions }));
  // Two windows of one bridge, and another process on the same file.
  const [ours, theirs] = [createSessionRules(open()), createSessionRules(open())];
  const saved = await Promise.all([
    ours.remember(A, 'bash(git)'),
    ours.remember(A, 'bash(npm)'),
    theirs.remember(A, 'bash(make)'),
  ]);
  expect(saved).toEqual([true, true, true]);
  const written = JSON.parse(await readFile(join(dir, 'config.json'), 'utf8'));
  expect(written.own).toBe(1);
  expect(written.permissions.deny).toEqual(['bash(rm)']);
  expect(written.permissions.allow.toSorted()).toEqual(['bash(git)', 'bash(ls)', 'bash(make)', 'bash(npm)']);
  await ours.refresh();
  expect(ours.rules(A).allow).toHaveLength(4);
});

test('a rule is in force while it is being saved', async () => {
  const rules = createSessionRules(open());
  const saving = rules.remember(A, 'bash(git)');
  expect(rules.rules(A).allow).toEqual(['bash(git)']);
  await saving;
  expect(rules.rules(A).allow).toEqual(['bash(git)']);
});

test('a rule that cannot be saved holds for its session', async () => {
  await mkdir(join(dir, 'config.json'));
  const rules = createSessionRules(open());
  expect(await rules.remember(A, 'bash(git)')).toBe(false);
  expect(rules.rules(A).allow).toEqual(['bash(git)']);
  expect(rules.rules(strandIdSchema.parse('bbbbbbbbbbbb')).allow).toEqual([]);
});
