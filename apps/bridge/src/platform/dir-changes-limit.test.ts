/** The kernel's own limit, lowered in a user namespace: a stub would only show what we believe of it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const LOWER = 'echo 128 > /proc/sys/user/max_inotify_watches && exec "$0" "$@"';
const inLimit = (args: readonly string[]) =>
  spawnSync('unshare', ['-Ur', 'sh', '-c', LOWER, process.execPath, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  });

// Skipped where no user namespace may be made (no unshare, or forbidden by the system).
const canLimit = process.platform === 'linux' && inLimit(['-e', '']).status === 0;

test.skipIf(!canLimit)('with 128 watches the folders beyond them are refused, and nothing is thrown', () => {
  const root = mkdtempSync(join(tmpdir(), 'watches-'));
  for (let index = 0; index < 200; index += 1) mkdirSync(join(root, `f${index}`));
  mkdirSync(join(root, 'cookies'));
  const script = `
    const { watchDirChanges } = await import(${JSON.stringify(new URL('./dir-changes.ts', import.meta.url).href)});
    const [root] = process.argv.slice(1);
    const watch = watchDirChanges(root, root + '/cookies');
    let added = 0;
    for (let index = 0; index < 200; index += 1) if (watch.add('f' + index)) added += 1;
    watch.close();
    console.log(added);`;
  const { stdout, stderr } = inLimit(['--input-type=module', '-e', script, root]);
  rmSync(root, { recursive: true });
  expect(stderr).toBe('');
  expect(Number(stdout)).toBeGreaterThan(100);
  expect(Number(stdout)).toBeLessThan(128);
});
