import { expect, test } from '@playwright/test';
import { startBridge } from '../support/bridge.ts';
import { lastTurn, openSession, pair, send, settled } from '../support/page.ts';

test('a reload in the middle of a turn loses nothing', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge);
  await send(page, 'say One.\nwrite a.txt 1\nsleep 2500\nsay Two.\nwrite b.txt 2\nsay Three.');
  await expect.poll(() => bridge.has('a.txt')).toBe(true);
  await page.reload();
  // The words of the answer stand in the prompt as well, so only the end of the turn says that it is over.
  await expect(page.getByTestId('interrupt')).toBeVisible();
  await settled(page);
  const text = (await lastTurn(page).textContent()) ?? '';
  for (const word of ['One.', 'Two.', 'Three.']) expect(text.split(word).length - 1, word).toBe(2);
  expect(bridge.file('b.txt')).toBe('2\n');
});

test('two windows show the same turn and the same tabs', async ({ page, context }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByTestId('transcript')).toBeVisible();
  await send(page, 'say Seen by both.\nwrite c.txt 3');
  await expect(lastTurn(other)).toContainText('Seen by both.');
  await settled(other);
  await expect(other.getByTestId('tab')).toHaveCount(await page.getByTestId('tab').count());
});

test('the bridge dies in the middle of a turn; the page reconnects with its key and shows every record once', async ({
  page,
}) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  const strand = await openSession(page, bridge, 'write kept.txt before');
  await send(page, 'say Started.\nwrite kept.txt during\nsleep 30000\nsay Never.');
  await expect(lastTurn(page)).toContainText('Started.');
  await expect.poll(() => bridge.file('kept.txt')).toBe('during\n');
  await bridge.kill('SIGKILL');
  await expect(page.getByTestId('connection-bar')).toContainText(/reconnecting/i);
  await bridge.restart();
  await expect(page.getByTestId('connection-bar')).toBeHidden({ timeout: 20_000 });
  await settled(page);
  await send(page, 'say After the crash.');
  await expect(lastTurn(page)).toContainText('After the crash.');
  await settled(page);
  const shown = bridge.cli(['show', strand]) as { turns: { outcome: string }[]; bad: number };
  expect(shown.turns.map(({ outcome }) => outcome)).toEqual(['done', 'interrupted', 'done']);
  expect(shown.bad).toBe(0);
  await expect(page.getByTestId('turn')).toHaveCount(3);
});
