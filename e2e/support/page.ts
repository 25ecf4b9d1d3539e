/** What every page test does: pair a browser, open a session, send a prompt. */
import { expect, type Locator, type Page } from '@playwright/test';
import type { TestBridge } from './bridge.ts';

export const pair = async (page: Page, bridge: TestBridge): Promise<void> => {
  await page.goto(bridge.openingLink());
  await expect(page.getByTestId('shell')).toBeVisible();
  expect(page.url()).not.toContain('code=');
};

/** Creates a session through the CLI and opens it in a tab. */
export const openSession = async (
  page: Page,
  bridge: TestBridge,
  script = 'say Ready.',
  extra: readonly string[] = [],
): Promise<string> => {
  const result = bridge.cli(['run', '--agent', 'script', '--cwd', bridge.workspace, ...extra, '-'], script);
  const { strand } = result as { strand: string };
  await page.goto(`${bridge.url}/?s=${strand}`);
  await expect(page.getByTestId('transcript')).toBeVisible();
  return strand;
};

export const send = async (page: Page, text: string): Promise<void> => {
  const input = page.getByTestId('composer-input');
  await input.fill(text);
  await input.press('Enter');
  await expect(input).toHaveValue('');
  // What the page does at once (the button becomes Interrupt) is drawn two frames later.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 20))));
};

export const turns = (page: Page): Locator => page.getByTestId('turn');

export const lastTurn = (page: Page): Locator => page.getByTestId('turn').last();

/** A turn is over when the composer offers to send again. */
export const settled = async (page: Page): Promise<void> => {
  await expect(page.getByTestId('interrupt')).toHaveCount(0);
  await expect(page.getByTestId('send')).toBeVisible();
};
