import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { aStrand, bytesOf } from '@skein/core/testing/a-strand';
import { startBridge, type TestBridge } from '../support/bridge.ts';
import { lastTurn, pair, send, settled } from '../support/page.ts';

const TURNS = 10_000;
const ID = 'abcdef012345';

/** Five records a turn, written as another process would leave them. */
const plant = ({ dataDir, workspace }: TestBridge): void => {
  const strand = aStrand({ id: ID, cwd: workspace, agent: 'script' });
  for (let turn = 1; turn <= TURNS; turn += 1) {
    strand.prompt(`Question ${turn}.`).tool('read', { path: `file-${turn}.txt` }, `contents ${turn}`);
    strand.answer(`Answer ${turn}.`).turn();
  }
  const hash = createHash('sha256').update(workspace).digest('hex').slice(0, 16);
  const folder = join(dataDir, 'strands', `${basename(workspace)}-${hash}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `20260101-000000_${ID}.jsonl`), bytesOf(strand.records()), { mode: 0o600 });
};

test('a session of 50,000 records opens at its end, scrolls back, and goes on', async ({ page }) => {
  test.setTimeout(600_000);
  await using bridge = await startBridge();
  await pair(page, bridge);
  plant(bridge);
  await page.goto(`${bridge.url}/?s=${ID}`);
  await expect(lastTurn(page)).toContainText(`Answer ${TURNS}.`, { timeout: 60_000 });
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  expect(nodes).toBeLessThan(3000);
  await page.getByTestId('transcript').hover();
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, -20_000);
        const text = (await page.getByTestId('transcript').textContent()) ?? '';
        return Math.min(...[...text.matchAll(/Question (\d+)\./g)].map(([, turn]) => Number(turn)));
      },
      { timeout: 120_000 },
    )
    .toBeLessThan(TURNS - 60);
  await send(page, 'say Still here.\nwrite new.txt new');
  // Whoever sends is taken to the end, to see what comes of it.
  await expect(lastTurn(page)).toContainText('new.txt');
  await settled(page);
  expect(bridge.file('new.txt')).toBe('new\n');
  await page.reload();
  await expect(lastTurn(page)).toContainText('Still here.', { timeout: 60_000 });
});
