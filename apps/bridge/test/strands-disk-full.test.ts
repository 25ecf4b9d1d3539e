/** TRAPS D5, V16, A37: when the disk is full a record is there whole or not at all, and writing goes on once there is room. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CHILD, startChild } from './strands-children.ts';
import { HEADER, mustOpen, openStore, tempDir } from './strands-kit.ts';

const has = (...command: string[]): boolean => spawnSync(command[0] ?? '', command.slice(1)).status === 0;
const canLimit = has('bash', '-c', 'ulimit -Sf 100') && has('prlimit', '--version');
const canMount = has('unshare', '-rm', 'bash', '-c', 'mount -t tmpfs -o size=64k none /mnt');

test.skipIf(!canLimit)(
  'a record that meets the file size limit is taken back, and the next one is whole',
  async () => {
    using dir = tempDir();
    await using opened = await openStore(dir.path);
    const created = await opened.store.create(HEADER);
    await created.close();
    // Soft limit of 50 KiB: reached in the middle of a record.
    const limited = ['bash', '-c', 'ulimit -Sf 50; exec "$0" "$@"'];
    const child = startChild(['writeUntilRefused', dir.path, created.id], limited);
    const report = await child.until((saying) => 'fault' in saying);
    expect(report).toMatchObject({ fault: { code: 'io' }, endsWhole: true });
    expect(spawnSync('prlimit', ['--fsize=unlimited', '--pid', String(child.process.pid)]).status).toBe(0);
    child.process.stdin?.write('\n');
    const { after } = await child.until((saying) => 'after' in saying);
    expect((await child.ended).code).toBe(0);

    const { state, close } = await mustOpen(opened.store, created.id).then((writer) => ({
      state: writer.state,
      close: () => writer.close(),
    }));
    await close();
    expect(state.bad).toEqual([]);
    const acked = report['acked'] as string[];
    expect(acked.length).toBeGreaterThan(5);
    expect([...state.nodes.keys()].slice(1)).toEqual([...acked, after]);
  },
);

test.skipIf(!canMount)(
  'on a file system that is really full nothing acknowledged is lost',
  { timeout: 60_000 },
  async () => {
    using dir = tempDir();
    const script = 'mount -t tmpfs -o size=2m none "$1" && exec "$0" "$2" fillDisk "$1"';
    const run = spawnSync('unshare', ['-rm', 'bash', '-c', script, process.execPath, dir.path, CHILD], {
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    const report = JSON.parse(run.stdout) as Record<string, number>;
    expect(report).toMatchObject({ missing: 0, bad: 0 });
    expect(report['faults']).toBe(20);
    expect(report['acked']).toBeGreaterThan(30);
  },
);
