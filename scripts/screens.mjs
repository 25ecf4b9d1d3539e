// `npm run screens`: every state of the page, from a real bridge with the script agent, into docs/screens/.
// Names after -- choose some: npm run screens -- session undo

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { startBridge } from '../e2e/support/bridge.ts';
import { ROOT } from './process-tools.mjs';
import { SCENES } from './screens/scenes.mjs';

const OUT = path.join(ROOT, 'docs', 'screens');
const SIZES = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } };
const chosen = process.argv.slice(2).filter((name) => name !== '--');

mkdirSync(OUT, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
});
const failures = [];
for (const scene of SCENES) {
  if (chosen.length > 0 && !chosen.includes(scene.name)) continue;
  for (const theme of scene.themes ?? ['dark', 'light']) {
    for (const size of scene.sizes ?? Object.keys(SIZES)) await shoot(scene, theme, size);
  }
}
await browser.close();
if (failures.length > 0) {
  console.error(`screens: ${failures.length} could not be taken:\n${failures.join('\n')}`);
  process.exitCode = 1;
}

async function shoot(scene, theme, size) {
  const name = `${scene.name}-${theme}-${size}`;
  const bridge = await startBridge({ files: scene.files });
  const context = await browser.newContext({
    viewport: SIZES[size],
    colorScheme: theme,
    hasTouch: size === '390',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  try {
    await scene.play({ page, bridge, phone: size === '390' });
    await settle(page);
    writeFileSync(path.join(OUT, `${name}.png`), await page.screenshot());
    console.error(`screens: ${name}`);
  } catch (error) {
    failures.push(`${name}: ${error.message.split('\n')[0]}`);
    writeFileSync(path.join(OUT, `${name}.failed.png`), await page.screenshot());
  } finally {
    await context.close();
    await bridge[Symbol.asyncDispose]();
  }
}

/** A picture of a page that is still loading shows nothing worth keeping. */
async function settle(page) {
  await page.waitForFunction(() => document.querySelector('[data-loading]') === null);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(1200);
}
