import type { StrandSummary } from '@skein/core/protocol/strands';
import { expect, test } from 'vitest';
import { shortFolder, strandRows } from './strand-groups.ts';

const summary = (id: string, cwd: string, updatedAt: string, pinned = false): StrandSummary => ({
  id: id as StrandSummary['id'],
  name: null,
  title: id,
  cwd,
  agent: 'script',
  model: null,
  mode: null,
  turns: 1,
  messages: 2,
  cost: 0,
  createdAt: updatedAt,
  updatedAt,
  state: 'idle',
  archived: false,
  pinned,
  changed: false,
  bad: 0,
  readOnly: null,
});
const SUMMARIES = [
  summary('old', '/srv/api', '2026-01-01'),
  summary('web', '/srv/web', '2026-01-05'),
  summary('new', '/srv/api', '2026-01-09'),
  summary('pinned', '/srv/api', '2025-01-01', true),
];
const names = (closed: ReadonlySet<string>) =>
  strandRows(SUMMARIES, closed).map((row) =>
    row.kind === 'folder' ? `${row.label} ${row.count}` : row.summary.id,
  );

test('folders by their newest session, pinned sessions first, then the newest', () => {
  expect(names(new Set())).toEqual(['srv/api 3', 'pinned', 'new', 'old', 'srv/web 1', 'web']);
});

test('a closed folder keeps its row', () => {
  expect(names(new Set(['/srv/api']))).toEqual(['srv/api 3', 'srv/web 1', 'web']);
});

test('a folder is called by its last two names', () => {
  expect(['/', '/srv', '/a/b/c', 'C:\\a\\b'].map(shortFolder)).toEqual(['/', 'srv', 'b/c', 'a/b']);
});
