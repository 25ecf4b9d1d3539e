import { expect, test } from '@playwright/test';
import { startBridge } from '../support/bridge.ts';
import { openSession, pair } from '../support/page.ts';

test('a part of the page that cannot be fetched is fetched again, and the page stands', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge);
  let refused = 0;
  await page.route('**/*.js', async (route) => {
    refused += 1;
    if (refused > 2) await route.continue();
    else await route.abort('connectionrefused');
  });
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Model providers' })).toBeVisible();
  expect(refused).toBeGreaterThan(2);
});
