// `npm run bench:page`: the page's budgets (first load, a long session, scrolling, streaming), measured in Chromium on
// the product's own build, printed as a table and kept in docs/benchmarks.md. Correctness is e2e's job, not this one's.

import path from 'node:path';
import { chromium } from '@playwright/test';
import { startBridge } from '../e2e/support/bridge.ts';
import { openStore } from './bench/append.mjs';
import { fillStrand } from './bench/replay.mjs';
import { keepTable, toTable } from './bench/table.mjs';

const TURNS = 10_000;
const ARGS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

const bridge = await startBridge();
await fillLongStrand();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ARGS,
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const rows = [];
const row = (what, measured, budget) => rows.push({ what, ours: measured, floor: budget, ratio: '-' });
try {
  await firstLoad();
  await openLong();
  await scroll();
  await stream();
} finally {
  await browser.close();
  await bridge[Symbol.asyncDispose]();
}
const table = toTable(rows, ['what', 'measured', 'budget', '']);
console.log(table);
keepTable('bench-page', table);

async function fillLongStrand() {
  const store = await openStore(path.dirname(bridge.dataDir));
  await fillStrand(store, bridge.workspace, TURNS);
  await store.close();
}

/** Bytes of script on the wire until a session is shown. */
async function firstLoad() {
  const { strand } = bridge.cli(
    ['run', '--agent', 'script', '--cwd', bridge.workspace, '-'],
    'say Hello.\nwrite a.txt a',
  );
  await page.goto(bridge.openingLink());
  await page.getByTestId('shell').waitFor();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scripts = new Set();
  let bytes = 0;
  cdp.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(`${bridge.url}/?s=${strand}`);
  await page.getByTestId('turn').last().waitFor();
  row('script on the wire until a session is shown', `${Math.round(bytes / 1024)} KB`, '250 KB');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: false });
}

async function openLong() {
  await watchTasks();
  const link = page.getByTestId('strand-row').filter({ hasText: 'Prompt 0' }).first();
  await link.waitFor();
  const took = await page.evaluate(
    (last) =>
      new Promise((resolve) => {
        const rowOf = () =>
          [...document.querySelectorAll('[data-testid=strand-row]')].find((row) =>
            row.textContent.includes('Prompt 0'),
          );
        const started = performance.now();
        const target = rowOf();
        (target.querySelector('a,button') ?? target).click();
        const look = () => {
          const turns = [...document.querySelectorAll('[data-testid=turn]')];
          if (turns.some((turn) => turn.textContent.includes(last)))
            requestAnimationFrame(() => resolve(performance.now() - started));
          else requestAnimationFrame(look);
        };
        look();
      }),
    `Prompt ${TURNS - 1}`,
  );
  await page.waitForTimeout(1000);
  row(`${TURNS * 5} records: click to first turns painted`, `${Math.round(took)} ms`, '300 ms');
  row(
    'the same: nodes in the document',
    String(await page.evaluate(() => document.querySelectorAll('*').length)),
    '3000',
  );
  row('the same: longest task', `${Math.round(await longestTask())} ms`, '100 ms');
}

async function scroll() {
  await page.getByTestId('transcript').hover();
  const frames = page.evaluate(
    () =>
      new Promise((resolve) => {
        const times = [];
        const started = performance.now();
        const tick = (now) => {
          times.push(now);
          if (now - started < 4000) requestAnimationFrame(tick);
          else resolve((times.length - 1) / ((times.at(-1) - times[0]) / 1000));
        };
        requestAnimationFrame(tick);
      }),
  );
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.wheel(0, -900);
    await page.waitForTimeout(50);
  }
  row('scrolling through it', `${Math.round(await frames)} frames/s`, '60 frames/s');
}

/** A long answer in small pieces, a hundred a second. */
async function stream() {
  const { strand } = bridge.cli(['run', '--agent', 'script', '--cwd', bridge.workspace, '-'], 'say Ready.');
  await page.goto(`${bridge.url}/?s=${strand}`);
  await page.getByTestId('turn').last().waitFor();
  await page.waitForTimeout(1000);
  // A paragraph every eight pieces, as people and models write.
  const pieces = [...Array(400).keys()].map(
    (part) =>
      `say ${JSON.stringify(`${part % 8 === 0 ? '\n\n' : ''}Part ${part} with \`code\` and **bold**. `)}\nsleep 10`,
  );
  await page.getByTestId('composer-input').fill([...pieces, 'say The end of it.'].join('\n'));
  await page.waitForTimeout(500);
  await watchTasks();
  await page.getByTestId('composer-input').press('Enter');
  await page.getByTestId('interrupt').waitFor();
  await page.getByTestId('interrupt').waitFor({ state: 'detached', timeout: 120_000 });
  row('streaming: longest task', `${Math.round(await longestTask())} ms`, '50 ms');
}

async function watchTasks() {
  await page.evaluate(() => {
    globalThis.longest = 0;
    globalThis.observer?.disconnect();
    globalThis.observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        globalThis.longest = Math.max(globalThis.longest, entry.duration);
    });
    globalThis.observer.observe({ type: 'longtask' });
  });
}

function longestTask() {
  return page.evaluate(() => globalThis.longest);
}
