import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { startBridge } from '../support/bridge.ts';
import { pair, turns } from '../support/page.ts';

const FIXTURES = join(import.meta.dirname, '../../packages/core/fixtures/import');
const FILES = {
  'claude-code/v1.0-one-summary.jsonl': 'claude/projects/-home-dev/one.jsonl',
  'claude-code/synthetic-true-branch.jsonl': 'claude/projects/-home-dev/branch.jsonl',
  'codex/v0.39-vscode.jsonl': 'codex/sessions/2026/01/05/rollout-one.jsonl',
  'gemini/json-small.json': 'gemini/.gemini/tmp/project/chats/session-one.json',
  'pi/v3-full-format.jsonl': 'pi/sessions/--udin--/one.jsonl',
} as const;

/** Sessions of several agents, each where its own variable says. */
const makeHistories = () => {
  const base = mkdtempSync(join(tmpdir(), 'skein-histories-'));
  for (const [from, to] of Object.entries(FILES)) {
    mkdirSync(dirname(join(base, to)), { recursive: true });
    copyFileSync(join(FIXTURES, from), join(base, to));
  }
  return {
    env: {
      CLAUDE_CONFIG_DIR: join(base, 'claude'),
      CODEX_HOME: join(base, 'codex'),
      GEMINI_CLI_HOME: join(base, 'gemini'),
      PI_CODING_AGENT_DIR: join(base, 'pi'),
    },
    bytes: () => Object.values(FILES).map((name) => readFileSync(join(base, name)).toString('base64')),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
};

test('sessions of other agents are offered at first, listed, opened read-only and gone on with', async ({
  page,
}) => {
  using histories = makeHistories();
  const before = histories.bytes();
  await using bridge = await startBridge({ env: histories.env });
  await pair(page, bridge);
  await expect(page.getByText(/Sessions found on this machine: .*2 of Claude Code/)).toBeVisible();
  await page.getByRole('button', { name: 'Look at them' }).click();
  await expect(page.getByRole('heading', { name: 'Sessions of other agents' })).toBeVisible();
  await expect(page.getByText('5 sessions')).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.getByRole('textbox', { name: 'Filter by title or folder' }).fill('first');
  await expect(page.getByText('1 session', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^first/ }).click();
  await expect(turns(page).first()).toBeVisible();
  await expect(page.getByText('answer three')).toBeVisible();
  await expect(page).toHaveTitle(/first/);
  await expect(page.getByTestId('composer-input')).toHaveCount(0);
  await expect(page.getByText(/A session of Claude Code: read-only/)).toBeVisible();
  await expect(page.getByRole('button', { name: /Undo/ })).toHaveCount(0);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.reload();
  await expect(page.getByText('answer three')).toBeVisible();

  await page.goto(`${bridge.url}/?view=search`);
  await page.getByRole('textbox', { name: 'Words to look for' }).fill('answer -three');
  await expect(page.getByText(/2 found in 1 session/)).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.getByRole('button', { name: /answer two/ }).click();
  await expect(page.getByText('answer three')).toBeVisible();
  expect(histories.bytes()).toEqual(before);
});

test('on a phone the list and a session of another agent can be read', async ({ page }) => {
  using histories = makeHistories();
  await using bridge = await startBridge({ env: histories.env });
  await page.setViewportSize({ width: 390, height: 844 });
  await pair(page, bridge);
  await page.goto(`${bridge.url}/?view=history`);
  await page.getByRole('button', { name: /^first/ }).click();
  await expect(page.getByText('answer three')).toBeVisible();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wide).toBe(false);
});
