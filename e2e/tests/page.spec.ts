import { createServer } from 'node:net';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { startBridge } from '../support/bridge.ts';
import { lastTurn, openSession, pair, send, settled } from '../support/page.ts';

test('an address can never point the page at another bridge', async ({ page }) => {
  await using bridge = await startBridge();
  let connections = 0;
  const listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await pair(page, bridge);
  for (const name of ['bridge', 'gatewayUrl', 'ws', 'url', 'host']) {
    await page.goto(`${bridge.url}/?${name}=ws://127.0.0.1:${port}#${name}=http://127.0.0.1:${port}`);
    await expect(page.getByTestId('shell')).toBeVisible();
  }
  listener.close();
  expect(connections).toBe(0);
});

test('a browser without a key sees how to get one and nothing else', async ({ page }) => {
  await using bridge = await startBridge();
  bridge.cli(['run', '--agent', 'script', '--cwd', bridge.workspace, '-'], 'say A secret session.');
  await page.goto(bridge.url);
  await expect(page.getByTestId('unpaired')).toBeVisible();
  await expect(page.locator('body')).not.toContainText('A secret session.');
});

test('a link works once', async ({ page, browser }) => {
  await using bridge = await startBridge();
  const link = bridge.openingLink();
  await page.goto(link);
  await expect(page.getByTestId('shell')).toBeVisible();
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  await expect(stranger.getByTestId('unpaired')).toBeVisible();
});

test('tabs and drafts come back after a reload', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge, 'say First session.');
  await openSession(page, bridge, 'say Second session.');
  await expect(page.getByTestId('tab')).toHaveCount(2);
  await page.getByTestId('composer-input').fill('half a thought');
  // The draft is kept by the bridge a moment later.
  await expect.poll(() => JSON.stringify(bridge.state('page.json'))).toContain('half a thought');
  await page.reload();
  await expect(page.getByTestId('tab')).toHaveCount(2);
  await expect(page.getByTestId('composer-input')).toHaveValue('half a thought');
});

test('twenty sessions at work at once in tabs show each its own words', async ({ page }) => {
  test.setTimeout(600_000);
  await using bridge = await startBridge();
  await pair(page, bridge);
  const sessions = [...Array(20).keys()];
  const titles = sessions.map((index) => `say Session ${index} is ready.`);
  for (const script of titles)
    bridge.cli(['run', '--agent', 'script', '--cwd', bridge.workspace, '-'], script);
  const tabs = page.getByTestId('tab');
  for (const [index, title] of titles.entries()) {
    await page.getByTestId('strand-row').filter({ hasText: title }).click();
    await expect(tabs).toHaveCount(index + 1);
    await expect(page.getByTestId('transcript')).toContainText(`Session ${index} is ready.`);
    // Each turn waits for the same file, so that none is over before all have begun.
    await send(
      page,
      `say Words of ${index} only.\nsh until [ -e go ]; do sleep 0.5; done\nwrite own-${index}.txt ${index}`,
    );
    await expect(lastTurn(page)).toContainText('until [ -e go ]');
  }
  const running = bridge.cli(['strands']) as { state: string }[];
  expect(running.filter(({ state }) => state === 'running')).toHaveLength(20);
  bridge.write('go', '');
  for (const index of sessions) {
    await tabs.nth(index).click();
    await expect(lastTurn(page)).toContainText(`Words of ${index} only.`);
    await settled(page);
    const text = (await page.getByTestId('transcript').textContent()) ?? '';
    for (const other of sessions) if (other !== index) expect(text).not.toContain(`Words of ${other} only.`);
    expect(bridge.file(`own-${index}.txt`)).toBe(`${index}\n`);
  }
});

for (const theme of ['dark', 'light'] as const) {
  test(`no screen has an accessibility violation (${theme})`, async ({ browser }) => {
    test.setTimeout(300_000);
    await using bridge = await startBridge();
    const context = await browser.newContext({ colorScheme: theme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await pair(page, bridge);
    const strand = await openSession(
      page,
      bridge,
      'think Hm.\nsay **Bold** and `code`.\nwrite a.txt one\nsh echo two',
    );
    const check = async (name: string): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120) ?? ''}`);
      expect(found, name).toEqual([]);
    };
    await expect(page.getByTestId('turn').last()).toContainText('Bold');
    await check('session');
    await page.getByTestId('turn').last().getByRole('button', { name: /^undo/i }).first().click();
    await expect(page.getByTestId('undo-dialog')).toContainText('a.txt');
    await check('undo preview');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    await check('palette');
    await page.goto(`${bridge.url}/?view=settings`);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await check('settings');
    await page.goto(bridge.url);
    await expect(page.getByTestId('composer-input')).toBeVisible();
    await check('new session');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${bridge.url}/?s=${strand}`);
    await expect(page.getByTestId('turn').last()).toContainText('Bold');
    await check('session on a phone');
    await context.close();
  });
}

test('nothing in a transcript runs or loads', async ({ page }) => {
  await using bridge = await startBridge();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await pair(page, bridge);
  const nasty = [
    '<img src=x onerror="window.__pwn=1">',
    '<script>window.__pwn=1</script>',
    '[click](javascript:window.__pwn=1)',
    '![pixel](http://example.invalid/p.png)',
    '<svg onload=window.__pwn=1>',
    '</script><script>window.__pwn=1</script>',
  ];
  await openSession(
    page,
    bridge,
    nasty.map((text) => `say ${JSON.stringify(text)}\nread ${JSON.stringify(text)}`).join('\n'),
  );
  await expect(page.getByTestId('turn').last()).toContainText('click');
  await page.waitForTimeout(500);
  expect(await page.evaluate(() => (globalThis as { __pwn?: number }).__pwn)).toBeUndefined();
  expect(
    requests.filter(
      (url) => !url.startsWith(bridge.url) && !url.startsWith('blob:') && !url.startsWith('data:'),
    ),
  ).toEqual([]);
});
