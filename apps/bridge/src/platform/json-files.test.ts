import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test/strands-kit.ts';
import { readProcessIdentity } from './host.ts';
import { readJsonIfThere, updateJsonFile } from './json-files.ts';
import { takeLock } from './lock.ts';

test('keys that an edit does not know survive it', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'config.json');
  writeFileSync(path, '{"future": {"a": [1]}, "model": "old"}');
  await updateJsonFile(path, (current) => ({ ...current, model: 'new' }));
  expect(await readJsonIfThere(path)).toEqual({ future: { a: [1] }, model: 'new' });
  expect(readdirSync(dir.path)).toEqual(['config.json']);
});

test('edits of the same moment all happen', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'deep', 'config.json');
  const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
  await Promise.all(
    Array.from({ length: 20 }, () => updateJsonFile(path, (now) => ({ ...now, n: count(now['n']) + 1 }))),
  );
  expect(await readJsonIfThere(path)).toEqual({ n: 20 });
});

test.each(['{"a": 1', '[1, 2]', 'null and void'])(
  'a file that holds %s is refused and left alone',
  async (text) => {
    using dir = tempDir();
    const path = join(dir.path, 'config.json');
    writeFileSync(path, text);
    await expect(updateJsonFile(path, (now) => now)).rejects.toMatchObject({ code: 'unreadable' });
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(existsSync(`${path}.lock`)).toBe(false);
  },
);

test('a lock that a crash left is taken over, a link stays a link', async () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, 'real.json'), '{"a": 1}');
  symlinkSync('real.json', join(dir.path, 'link.json'));
  const dead = { ...readProcessIdentity(), pid: 4_000_000 };
  takeLock(join(dir.path, 'real.json.lock'), { process: dead, purpose: 'a crash' });
  await updateJsonFile(join(dir.path, 'link.json'), (now) => ({ ...now, b: 2 }));
  expect(lstatSync(join(dir.path, 'link.json')).isSymbolicLink()).toBe(true);
  expect(await readJsonIfThere(join(dir.path, 'real.json'))).toEqual({ a: 1, b: 2 });
});
