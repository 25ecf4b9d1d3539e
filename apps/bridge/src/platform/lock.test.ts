import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from '../../test/strands-children.ts';
import { tempDir } from '../../test/strands-kit.ts';
import { isAlive, type ProcessIdentity, processStart, readProcessIdentity } from './host.ts';
import { type LockOutcome, lockHolder, takeLock } from './lock.ts';

const us = readProcessIdentity();
const take = (path: string, process: ProcessIdentity = us, takeOver = false): LockOutcome =>
  takeLock(path, { process, purpose: 'testing', takeOver });

test('a lock is held by one until it is given back, and nothing stays behind', () => {
  using dir = tempDir();
  const path = join(dir.path, 'lock');
  const first = take(path);
  expect(first.kind).toBe('locked');
  expect(take(path)).toMatchObject({
    kind: 'held',
    foreign: false,
    holder: expect.stringContaining(`process ${us.pid} `),
  });
  expect(lockHolder(path, us)?.pid).toBe(us.pid);
  if (first.kind === 'locked') first.lock.release();
  expect(readdirSync(dir.path)).toEqual([]);
  expect(lockHolder(path, us)).toBeNull();
});

const dead = { ...us, pid: 4_000_000 };
const reused = { ...us, start: '1' };
const otherBoot = { ...us, boot: 'another boot', ns: 'pid:[1]' };
const otherSpace = { ...us, ns: 'pid:[1]' };
const otherHost = { ...us, host: 'another machine', boot: 'another boot' };

test.each([
  ['a process that ended', dead],
  ['a pid that another process has now', reused],
  ['a machine that was restarted since', otherBoot],
])('the lock of %s is taken over', (_name, owner) => {
  using dir = tempDir();
  const path = join(dir.path, 'lock');
  const old = take(path, owner);
  const mine = take(path);
  expect(mine.kind).toBe('locked');
  expect(old.kind === 'locked' && old.lock.isOurs()).toBe(false);
  // The dead owner's release, if it lives after all, does not remove what is ours.
  if (old.kind === 'locked') old.lock.release();
  expect(mine.kind === 'locked' && mine.lock.isOurs()).toBe(true);
  expect(readdirSync(dir.path)).toEqual(['lock']);
});

test.each([
  ['container', otherSpace],
  ['machine', otherHost],
])('the lock of another %s goes only to a user who says so', (_name, owner) => {
  using dir = tempDir();
  const path = join(dir.path, 'lock');
  take(path, owner);
  expect(take(path)).toMatchObject({ kind: 'held', foreign: true });
  expect(take(path, us, true).kind).toBe('locked');
});

test('a living process of this machine keeps its lock whatever the user says', () => {
  using dir = tempDir();
  const path = join(dir.path, 'lock');
  take(path);
  expect(take(path, us, true).kind).toBe('held');
});

test('a lock file without contents is a crash, once it is old', () => {
  using dir = tempDir();
  const path = join(dir.path, 'lock');
  writeFileSync(path, '');
  expect(take(path).kind).toBe('held');
  utimesSync(path, 1, 1);
  expect(take(path).kind).toBe('locked');
});

test('a take-over that was cut off does not block the next one', () => {
  using dir = tempDir();
  const path = join(dir.path, 'lock');
  const old = take(path, dead);
  const nonce = old.kind === 'locked' ? old.lock.nonce : '';
  take(`${path}.${nonce}.over`, { ...dead, pid: 4_000_001 });
  expect(take(path).kind).toBe('locked');
  expect(readdirSync(dir.path)).toEqual(['lock']);
});

test('of processes that find the same dead owner exactly one gets the lock', {
  timeout: 60_000,
}, async () => {
  using dir = tempDir();
  const rounds = 40;
  for (let round = 0; round < rounds; round += 1) {
    take(join(dir.path, `lock-${round}`), dead);
  }
  const children = Array.from({ length: 5 }, () => startChild(['raceForLocks', dir.path, String(rounds)]));
  for (const child of children) await child.until((saying) => saying['ready'] === true);
  writeFileSync(join(dir.path, 'go'), '');
  for (const child of children) expect(await child.ended).toMatchObject({ code: 0, stderr: '' });
  const winners = children.flatMap((child) =>
    child.said.flatMap(({ got }) => (got === undefined ? [] : [got])),
  );
  expect(winners.sort()).toEqual(Array.from({ length: rounds }, (_, round) => round).sort());
});

test('a process is alive until it ends', async () => {
  const child = spawn('sleep', ['30']);
  const pid = child.pid ?? 0;
  const start = processStart(pid);
  expect(isAlive(pid, start)).toBe(true);
  expect(isAlive(pid, 'another start')).toBe(process.platform !== 'linux' && process.platform !== 'darwin');
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  expect(isAlive(pid, start)).toBe(false);
});

test.skipIf(process.platform !== 'linux')(
  'a process that ended and that nobody waited for is dead',
  async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (data) => resolve(Number(String(data)))),
    );
    const isZombie = (): boolean => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
    while (!isZombie()) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(isAlive(pid, null)).toBe(false);
    parent.kill('SIGKILL');
  },
);
