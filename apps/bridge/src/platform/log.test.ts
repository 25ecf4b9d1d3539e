import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog } from './log.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'skein-log-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const nowIso = () => '2026-01-02T03:04:05.000Z';
const open = (more: Partial<Parameters<typeof openLog>[0]> = {}) =>
  openLog({ dir: join(dir, 'logs'), level: 'info', nowIso, onFailure: () => undefined, ...more });

test('a line is JSON with its level; lower levels are left out', async () => {
  const log = open();
  log.debug('not this');
  log.warn('this', { strand: 'a', count: 1 });
  const text = await readFile(log.file, 'utf8');
  expect(JSON.parse(text)).toEqual({ at: nowIso(), level: 'warn', message: 'this', strand: 'a', count: 1 });
});

test('known secrets and what looks like one never reach the file', async () => {
  const log = open();
  const secret = 'a+"b\\c-very-secret';
  log.addSecret(secret);
  log.info(`saying ${secret}`, {
    nested: { header: `Bearer ${'t'.repeat(43)}`, text: secret },
    error: new Error(`failed with sk-ant-${'k'.repeat(40)}`),
    headers: 'authorization: tokentokentoken',
    json: '{"api_key":"abcdefghijkl"}',
    url: 'http://127.0.0.1:1/#code=abcdefghijkl',
    google: `AIza${'x'.repeat(35)}`,
    github: `ghp_${'x'.repeat(36)}`,
  });
  const text = await readFile(log.file, 'utf8');
  for (const gone of ['very-secret', 'tttttt', 'kkkkkk', 'tokentoken', 'abcdefghijkl', 'xxxxxx']) {
    expect(text).not.toContain(gone);
  }
  expect(text).toContain('failed with [redacted]');
});

test('files are private, rotate by size, and only so many are kept', async () => {
  const log = open({ maxBytes: 300, keep: 2 });
  for (let count = 0; count < 40; count += 1) log.info(`line ${count}`);
  const names = await readdir(join(dir, 'logs'));
  expect(names.sort()).toEqual(['bridge.log', 'bridge.log.1', 'bridge.log.2']);
  expect((await stat(log.file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(dir, 'logs'))).mode & 0o777).toBe(0o700);
  expect(await readFile(log.file, 'utf8')).toContain('line 39');
});

test('a log that cannot be written says so once and nothing throws', async () => {
  await writeFile(join(dir, 'logs'), 'a file in the way');
  const failures: string[] = [];
  const log = open({ onFailure: (message) => failures.push(message) });
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  log.error('one');
  log.error('two', { loop });
  expect(failures).toHaveLength(1);
  expect(failures[0]).toContain('cannot be written');
});
