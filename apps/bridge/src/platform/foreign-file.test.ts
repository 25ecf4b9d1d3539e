import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openForeign } from './foreign-file.ts';

test('a FIFO without a writer, a device, a folder and nothing are no files, and nobody waits for them', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'skein-foreign-'));
  try {
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    for (const path of [join(dir, 'pipe'), '/dev/zero', dir, join(dir, 'nothing')])
      expect(await openForeign(path)).toBeNull();
    writeFileSync(join(dir, 'file'), 'abc');
    const file = await openForeign(join(dir, 'file'));
    expect((await file?.read(1, 9))?.toString()).toBe('bc');
    await file?.close();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
