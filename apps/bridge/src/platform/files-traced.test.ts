/** What is asked of the system, and what is left when it refuses: `strace` writes it down and makes single calls fail. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'skein-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
};

const traced = (root: string, code: string, options: readonly string[] = []) => {
  const log = join(root, 'trace');
  const module = (name: string): string =>
    JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href);
  const source = `
    import { makePrivateDir } from ${module('files.ts')};
    import { createAppendFile } from ${module('append-file.ts')};
    import { appendSynced } from ${module('tree-files-append.ts')};
    import { readdirSync } from 'node:fs';
    const root = ${JSON.stringify(root)};
    ${code}`;
  const run = spawnSync(
    'strace',
    [
      '-f',
      '-y',
      '-o',
      log,
      '-e',
      'trace=fsync',
      ...options,
      process.execPath,
      '--input-type=module',
      '-e',
      source,
    ],
    { encoding: 'utf8', env: { ...process.env, UV_THREADPOOL_SIZE: '1' } },
  );
  return { said: run.stdout.trim(), stderr: run.stderr, log: readFileSync(log, 'utf8') };
};

test.skipIf(!canTrace)('a folder that others made is synced too, once for each process', () => {
  using dir = folder();
  mkdirSync(join(dir.path, 'made'));
  const { log, stderr } = traced(
    dir.path,
    `for (let n = 0; n < 3; n += 1) await makePrivateDir(root + '/made');
    await makePrivateDir(root + '/made/new');`,
  );
  expect(stderr).toBe('');
  const synced = [...log.matchAll(/fsync\(\d+<([^>]*)>/g)].map(([, path]) => path);
  expect(synced).toEqual([dir.path, join(dir.path, 'made')]);
});

test.skipIf(!canTrace)(
  'a new file whose entry cannot be saved leaves neither itself nor an open handle',
  () => {
    using dir = folder();
    const { said, stderr } = traced(
      dir.path,
      `await createAppendFile(root + '/new', { isOurs: () => true }).catch((error) => console.log(error.code));
    const { readlinkSync } = await import('node:fs');
    const open = readdirSync('/proc/self/fd').flatMap((fd) => {
      try { return [readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; }
    });
    console.log(open.filter((path) => path.startsWith(root)).length);`,
      ['-e', 'inject=fsync:error=EIO'],
    );
    expect(stderr).toBe('');
    expect(said).toBe('io\n0');
    expect(existsSync(join(dir.path, 'new'))).toBe(false);
  },
);

test.skipIf(!canTrace)('a journal line is on disk before its append is acknowledged', () => {
  using dir = folder();
  const { log, said, stderr } = traced(
    dir.path,
    `for (const line of ['one', 'two']) {
      await appendSynced(root + '/journal', Buffer.from(line + '\\n'), () => Buffer.alloc(0));
      console.log('acknowledged ' + line);
    }`,
    ['-e', 'trace=fdatasync,write'],
  );
  expect([said, stderr]).toEqual(['acknowledged one\nacknowledged two', '']);
  const calls = [...log.matchAll(/ (fdatasync|write)\(\d+<([^>]*)>(?:, "([^"]*)")?/g)].flatMap(
    ([, call, path, text]) =>
      path?.endsWith('/journal') === true
        ? [`${call} ${text ?? ''}`.trim()]
        : text?.startsWith('acknowledged')
          ? [text]
          : [],
  );
  expect(calls).toEqual([
    'write one\\n',
    'fdatasync',
    'acknowledged one\\n',
    'write two\\n',
    'fdatasync',
    'acknowledged two\\n',
  ]);
});
