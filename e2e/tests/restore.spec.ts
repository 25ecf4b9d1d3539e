import { expect, type Page, test } from '@playwright/test';
import { startBridge } from '../support/bridge.ts';
import { lastTurn, openSession, pair, send, settled, turns } from '../support/page.ts';

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
const text = (changed: Readonly<Record<number, string>> = {}): string =>
  LINES.map((line, at) => `${changed[at + 1] ?? line}\n`).join('');
const writing = (content: string): string => `write src/list.txt ${JSON.stringify(content)}`;

const undoOf = async (page: Page, turn: number): Promise<void> => {
  await turns(page).nth(turn).getByRole('button', { name: /undo/i }).first().click();
};

test('an old turn is undone by hunk, and what the user edited elsewhere in the file stays', async ({
  page,
}) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  bridge.write('src/list.txt', text());
  await openSession(page, bridge, writing(text({ 2: 'two by the agent', 10: 'ten by the agent' })));
  await send(page, 'write other.txt later');
  await expect.poll(() => bridge.has('other.txt')).toBe(true);
  await settled(page);
  bridge.write('src/list.txt', text({ 2: 'two by the agent', 6: 'mine', 10: 'ten by the agent' }));

  await undoOf(page, 0);
  const dialog = page.getByTestId('undo-dialog');
  await expect(dialog).toContainText('src/list.txt');
  await dialog.getByRole('checkbox', { name: /Place 1/ }).uncheck();
  await expect(dialog).toContainText('Only a part is chosen');
  await page.getByTestId('undo-apply').click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => bridge.file('src/list.txt')).toBe(text({ 2: 'two by the agent', 6: 'mine' }));
  expect(bridge.file('other.txt')).toBe('later\n');
});

test('a conflict is settled on the page: nothing is written before every file has a choice', async ({
  page,
}) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge, 'edit src/app.js 41 => 42\nwrite two.txt two');
  bridge.write('src/app.js', 'export const answer = 7;\n');
  await undoOf(page, 0);
  const dialog = page.getByTestId('undo-dialog');
  await expect(dialog.getByTestId('conflict')).toContainText('src/app.js');
  await expect(dialog).toContainText('As the turn left it');
  await expect(page.getByTestId('undo-apply')).toBeDisabled();
  await dialog.getByRole('radio', { name: /as before the turn/i }).check();
  await expect(page.getByTestId('undo-apply')).toBeEnabled();
  expect(bridge.file('src/app.js')).toBe('export const answer = 7;\n');
  await page.getByTestId('undo-apply').click();
  await expect.poll(() => bridge.file('src/app.js')).toBe('export const answer = 41;\n');
  expect(bridge.has('two.txt')).toBe(false);

  await page.getByRole('button', { name: /redo/i }).first().click();
  await page.getByTestId('undo-apply').click();
  await expect
    .poll(() => bridge.file('src/app.js'), 'what was there before the undo')
    .toBe('export const answer = 7;\n');
});

test('after a new prompt an undo is still redone by operation, files only', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge, 'write one.txt one');
  await undoOf(page, 0);
  await page.getByTestId('undo-apply').click();
  await expect.poll(() => bridge.has('one.txt')).toBe(false);
  await send(page, 'write two.txt two');
  await expect.poll(() => bridge.has('two.txt')).toBe(true);
  await settled(page);

  await lastTurn(page)
    .getByRole('button', { name: /^1 file.*lines added/ })
    .click();
  const panel = page.getByTestId('changes-panel');
  await panel.getByRole('button', { name: 'Undo history' }).click();
  await panel.getByRole('button', { name: 'Bring its files back' }).click();
  await page.getByTestId('undo-apply').click();
  await expect.poll(() => bridge.has('one.txt')).toBe(true);
  expect(bridge.file('two.txt')).toBe('two\n');
  await expect(lastTurn(page), 'the conversation stays where it is').toContainText('two.txt');
});

test('what a shell command changed is undone like everything else', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge, 'sh echo made > made.txt && echo changed > src/app.js');
  await expect.poll(() => bridge.has('made.txt')).toBe(true);
  await undoOf(page, 0);
  await expect(page.getByTestId('undo-dialog')).toContainText('made.txt');
  await page.getByTestId('undo-apply').click();
  await expect.poll(() => bridge.file('src/app.js')).toBe('export const answer = 41;\n');
  expect(bridge.has('made.txt')).toBe(false);
});

test('files go back to the end of a turn, and everything after it is taken back at once', async ({
  page,
}) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge, 'write a.txt one');
  for (const word of ['two', 'three']) {
    await send(page, `write a.txt ${word}`);
    await expect.poll(() => bridge.file('a.txt')).toBe(`${word}\n`);
    await settled(page);
  }
  await turns(page).nth(0).getByRole('button', { name: 'More for this turn' }).click();
  await page.getByRole('menuitem', { name: 'Restore files to here' }).click();
  await expect(page.getByRole('dialog')).toContainText('Restore files to the end of turn 1');
  await page.getByTestId('undo-apply').click();
  await expect.poll(() => bridge.file('a.txt')).toBe('one\n');
});

test('a bridge killed in the middle of Apply finishes it on the next start, and the page says so', async ({
  page,
}) => {
  await using bridge = await startBridge({ env: { SKEIN_FAILPOINT: 'restore.renamed.0' } });
  await pair(page, bridge);
  await openSession(page, bridge, 'edit src/app.js 41 => 42\nwrite two.txt two');
  await undoOf(page, 0);
  await page.getByTestId('undo-apply').click();
  await expect.poll(() => bridge.isRunning()).toBe(false);
  const dialog = page.getByRole('dialog');
  await expect(dialog, 'nobody says that nothing was written').toContainText('It may have begun');
  await bridge.restart({ env: { SKEIN_FAILPOINT: '' } });
  await expect.poll(() => bridge.file('src/app.js')).toBe('export const answer = 41;\n');
  await expect.poll(() => bridge.has('two.txt')).toBe(false);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('group', { name: 'Recovered after a crash' })).toContainText(
    /was cut off by a crash and has been settled/,
  );
});
