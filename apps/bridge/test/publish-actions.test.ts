/** Other programs see whether undo and redo are possible, as long as the bridge runs. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeActions } from '@skein/core/restore/runtime-actions';
import { expect, test } from 'vitest';
import { publishActions } from '../src/compose/publish-actions.ts';
import { wireFlows } from '../src/compose/wire-flows.ts';
import { stateReader } from '../src/compose/wire-strands.ts';
import { readProcessIdentity } from '../src/platform/host.ts';
import { openPlace, until } from './open-place.ts';

test('the file of a session follows its turns and undos, and goes with the bridge', async () => {
  await using place = await openPlace();
  const strand = await place.strand();
  const { parts, dataDir } = place;
  const flows = await wireFlows(parts, null);
  const runtimeDir = join(dataDir, 'runtime', 'here');
  const warnings: string[] = [];
  const end = await publishActions({
    runtimeDir,
    process: readProcessIdentity(),
    hub: parts.hub,
    state: stateReader(parts),
    actions: flows.restore.actions,
    log: { warn: (message) => void warnings.push(message) },
  });
  const shown = (): RuntimeActions | null => {
    const [path] = globSync(join(runtimeDir, 'sessions', `${'?'.repeat(64)}.json`));
    return path === undefined ? null : JSON.parse(readFileSync(path, 'utf8'));
  };
  const enabled = (): string => (shown()?.actions ?? []).map(({ id, enabled: is }) => `${id} ${is}`).join();
  const input = { strand, text: 'write a hello', by: 'user', when: 'now', interactive: false } as const;
  await flows.turns.prompt({ ...input, images: [], mentions: [] });
  await until(() => enabled() === 'undo true,redo false');
  expect(shown()).toMatchObject({ schema: 2, strand, result: null });
  const { op } = await flows.restore.apply({ strand, direction: 'undo', scope: 'both' });
  await until(() => enabled() === 'undo false,redo true');
  expect(shown()).toMatchObject({ result: { id: 'undo', applied: true, token: op } });
  expect(shown()?.tip).toBe((await stateReader(parts)(strand)).tip);
  await end();
  expect(globSync(join(runtimeDir, 'sessions', '*'))).toEqual([]);
  expect(warnings).toEqual([]);
});
