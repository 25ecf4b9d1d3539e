/** Records and files to search in. */
import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordIdOf, strandIdOf } from '@skein/core/import/ids';
import type { StrandRecord } from '@skein/core/record/schema';
import type { IndexedFile } from '../../src/index/ports.ts';

export const tempFolder = () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'skein-index-')));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
};

export const said = (key: string, text: string, role: 'user' | 'assistant' = 'user'): StrandRecord => ({
  id: recordIdOf('pi', key),
  parent: null,
  at: '2026-01-05T10:00:00.000Z',
  kind: 'message',
  role,
  parts: [{ type: 'text', text }],
});

export const fileOf = (path: string, more: Partial<IndexedFile> = {}): IndexedFile => ({
  path,
  agent: 'pi',
  strand: strandIdOf('pi', path),
  title: path,
  cwd: '/srv/app',
  updatedAt: '2026-01-05T10:00:00.000Z',
  key: '1',
  ...more,
});

export const keyOf = (path: string): string => {
  const { size, mtimeMs, ino } = statSync(path);
  return `${size}:${mtimeMs}:${ino}`;
};
