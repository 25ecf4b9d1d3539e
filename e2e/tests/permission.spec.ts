import { expect, test } from '@playwright/test';
import { startBridge } from '../support/bridge.ts';
import { lastTurn, openSession, pair, send, settled } from '../support/page.ts';

test('a command waits for the user, is shown in full, and runs only when allowed', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge, 'say Ready.', ['--mode', 'ask']);
  await send(page, 'sh echo allowed > ran.txt');
  const card = page.getByTestId('permission-card').first();
  await expect(card).toContainText('echo allowed > ran.txt');
  await page.keyboard.press('Enter');
  expect(() => bridge.file('ran.txt'), 'typing cannot approve').toThrow();
  await card.getByRole('button', { name: /allow once/i }).click();
  await settled(page);
  expect(bridge.file('ran.txt')).toBe('allowed\n');
});

test('a denied command does not run and the agent is told why', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge, 'say Ready.', ['--mode', 'ask']);
  await send(page, 'sh touch never.txt');
  const card = page.getByTestId('permission-card').first();
  await card.getByRole('button', { name: /deny/i }).first().click();
  const reason = card.getByRole('textbox');
  if (await reason.isVisible().catch(() => false)) {
    await reason.fill('not now');
    await card.getByRole('button', { name: /deny/i }).last().click();
  }
  await settled(page);
  await expect(lastTurn(page)).toContainText(/denied/i);
  expect(() => bridge.file('never.txt')).toThrow();
});

test('a mark that would show another command than the one that runs is named', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge, 'say Ready.', ['--mode', 'ask']);
  await send(page, 'sh echo "\u202egnp.exe" ; true');
  const card = page.getByTestId('permission-card').first();
  await expect(card).toContainText('echo "[U+202E]gnp.exe" ; true');
  expect(await card.textContent()).not.toContain('\u202e');
  expect(await page.getByTestId('sidebar').textContent()).not.toContain('\u202e');
});
