import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newName, newSecret } from '../platform/ids.ts';
import { cleanLabel, createAccess } from './access.ts';
import { openToken, readToken, rotateToken } from './access-token.ts';
import { openBrowserKeys } from './browser-keys.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import { findBridge, openRuntime, runtimeDirOf } from './runtime.ts';

let dir: string;
let now = 0;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'skein-access-'));
  now = Date.parse('2026-01-02T03:04:05.000Z');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const nowIso = () => new Date(now).toISOString();
const nowMs = () => now;
const openKeys = () => openBrowserKeys({ path: join(dir, 'keys.json'), nowIso, newSecret, newName });

describe('the token', () => {
  test('is made once, private, and stays', async () => {
    const runtime = join(dir, 'runtime/a');
    const token = await openToken(runtime, newSecret);
    expect(await openToken(runtime, newSecret)).toBe(token);
    expect(await readToken(runtime)).toBe(token);
    expect((await stat(join(runtime, 'token'))).mode & 0o777).toBe(0o600);
    expect((await stat(runtime)).mode & 0o777).toBe(0o700);
  });

  test('that others could read, or that is torn, is replaced', async () => {
    const token = await openToken(dir, newSecret);
    await chmod(join(dir, 'token'), 0o644);
    const second = await openToken(dir, newSecret);
    expect(second).not.toBe(token);
    expect((await stat(join(dir, 'token'))).mode & 0o777).toBe(0o600);
    await writeFile(join(dir, 'token'), second.slice(0, 10));
    expect(await readToken(dir)).toBeNull();
    expect(await openToken(dir, newSecret)).toMatch(/^[\w-]{43}$/);
    await rotateToken(dir, newSecret);
    expect(await readToken(dir)).not.toBe(second);
  });
});

describe('a one-time code', () => {
  const newCodes = () => createOneTimeCodes({ nowMs, newSecret });

  test('works once, within 60 seconds', () => {
    const codes = newCodes();
    const [first, second] = [codes.issue(), codes.issue()];
    expect(codes.use(first)).toBe(true);
    expect(codes.use(first)).toBe(false);
    now += 60_000;
    expect(codes.use(second)).toBe(false);
    expect(codes.use('')).toBe(false);
  });

  test('of many open ones the oldest goes first', () => {
    const codes = newCodes();
    const all = Array.from({ length: 101 }, () => codes.issue());
    expect(codes.use(all[0] ?? '')).toBe(false);
    expect(codes.use(all[1] ?? '')).toBe(true);
    expect(codes.use(all[100] ?? '')).toBe(true);
  });
});

describe('browser keys', () => {
  test('survive a restart, hashed; their use is saved on close', async () => {
    const keys = await openKeys();
    const { id, key } = await keys.issue('Firefox');
    expect(await readFile(join(dir, 'keys.json'), 'utf8')).not.toContain(key);
    now += 1000;
    expect(keys.find(key)).toBe(id);
    const before = await readFile(join(dir, 'keys.json'), 'utf8');
    await keys.close();
    expect(await readFile(join(dir, 'keys.json'), 'utf8')).not.toBe(before);
    const again = await openKeys();
    expect(again.find(key)).toBe(id);
    expect(again.list()).toMatchObject([{ id, label: 'Firefox', lastUsedAt: nowIso() }]);
    expect(JSON.stringify(again.list())).not.toContain('sha256');
  });

  test('are gone once revoked, and whoever listens is told', async () => {
    const keys = await openKeys();
    const { id, key } = await keys.issue('a');
    const told: string[] = [];
    const stop = keys.onRevoked((keyId) => told.push(keyId));
    expect(await keys.revoke(id)).toBe(true);
    expect(await keys.revoke(id)).toBe(false);
    stop();
    expect([keys.find(key), told, (await openKeys()).find(key)]).toEqual([null, [id], null]);
  });

  test('in a file that cannot be read are put aside, not overwritten', async () => {
    await writeFile(join(dir, 'keys.json'), '{"v":1,"keys":[{"id":1');
    const keys = await openKeys();
    expect(await readFile(keys.aside ?? '', 'utf8')).toContain('"id":1');
    expect(keys.list()).toEqual([]);
    expect((await keys.issue('b')).key).toMatch(/^[\w-]{43}$/);
  });

  test('a key that could not be saved is no key', async () => {
    const keys = await openKeys();
    await rm(dir, { recursive: true });
    await writeFile(dir, 'in the way');
    await expect(keys.issue('c')).rejects.toMatchObject({ code: 'io' });
    expect(keys.list()).toEqual([]);
    await rm(dir);
  });
});

test('token and key are told apart, all else is nobody', async () => {
  const [keys, codes] = [await openKeys(), createOneTimeCodes({ nowMs, newSecret })];
  const token = newSecret();
  const access = createAccess({ token, keys, codes });
  const paired = await access.pair(codes.issue(), 'x');
  expect(access.identify(token)).toEqual({ kind: 'token' });
  expect(access.identify(paired?.key ?? '')).toEqual({ kind: 'browser', keyId: paired?.id });
  for (const secret of ['', token.slice(1), `${token} `, paired?.id ?? '', 'x'.repeat(10_000)]) {
    expect(access.identify(secret)).toBeNull();
  }
  expect(await access.pair('wrong', 'x')).toBeNull();
  expect(access.prove({ port: 1, nonce: 'n' })).not.toBe(access.prove({ port: 2, nonce: 'n' }));
});

test('a label is one short line without tricks', () => {
  expect(cleanLabel('  Fire\u0000fox\n\u202eLinux  ')).toBe('Fire fox Linux');
  expect(cleanLabel('\u200b\n')).toBe('Browser');
  expect([...cleanLabel('😀'.repeat(200))]).toHaveLength(80);
});

test('a client finds the bridge that announced itself, until it withdraws', async () => {
  const runtime = await openRuntime({ dataDir: dir, host: 'h', newSecret });
  expect(await findBridge(dir, 'h')).toBeNull();
  const bridge = { url: 'http://127.0.0.1:1', pid: 1, version: '1', protocol: 1, startedAt: nowIso() };
  await runtime.announce(bridge);
  expect(await findBridge(dir, 'h')).toEqual({ bridge, token: runtime.token });
  expect(await findBridge(dir, 'other')).toBeNull();
  const path = join(runtimeDirOf(dir, 'h'), 'bridge.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFile(path, JSON.stringify({ ...bridge, pid: 2 }));
  await runtime.withdraw();
  expect(await findBridge(dir, 'h')).not.toBeNull();
  await writeFile(path, '{"url":');
  expect(await findBridge(dir, 'h')).toBeNull();
  await runtime.announce(bridge);
  await runtime.withdraw();
  await expect(stat(path)).rejects.toThrow(/ENOENT/);
});
