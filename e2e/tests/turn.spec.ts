import { expect, test } from '@playwright/test';
import { startBridge } from '../support/bridge.ts';
import { lastTurn, openSession, pair, send, settled } from '../support/page.ts';

test('a prompt streams in, files change, undo brings them back and redo does it again', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge);
  await send(
    page,
    'say Working on it.\nwrite notes.txt hello there\nedit src/app.js 41 => 42\nsay Finished.',
  );
  await expect(lastTurn(page)).toContainText('Finished.');
  await settled(page);
  expect(bridge.file('notes.txt')).toBe('hello there\n');
  expect(bridge.file('src/app.js')).toBe('export const answer = 42;\n');

  await lastTurn(page).getByRole('button', { name: /undo/i }).first().click();
  const dialog = page.getByTestId('undo-dialog');
  await expect(dialog).toContainText('notes.txt');
  await expect(dialog).toContainText('src/app.js');
  expect(bridge.file('notes.txt'), 'a preview writes nothing').toBe('hello there\n');
  await page.getByTestId('undo-apply').click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => bridge.file('src/app.js')).toBe('export const answer = 41;\n');
  expect(() => bridge.file('notes.txt')).toThrow();
  await expect(page.getByTestId('composer-input')).toHaveValue(/write notes.txt hello there/);

  await page.getByRole('button', { name: /redo/i }).first().click();
  await page.getByTestId('undo-apply').click();
  await expect.poll(() => bridge.file('src/app.js')).toBe('export const answer = 42;\n');
  expect(bridge.file('notes.txt')).toBe('hello there\n');
  // Left in the composer, one Enter would run the turn a second time.
  await expect(page.getByTestId('composer-input')).toHaveValue('');
});

test('an interrupt keeps the partial text and ends the turn', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge);
  await send(page, 'say First words.\nsleep 30000\nsay Never said.');
  await expect(lastTurn(page)).toContainText('First words.');
  await page.getByTestId('interrupt').click();
  await settled(page);
  await expect(lastTurn(page)).toContainText('First words.');
  const text = (await lastTurn(page).textContent()) ?? '';
  expect(text.split('First words.').length - 1, 'in the prompt and in the answer').toBe(2);
  expect(text.split('Never said.').length - 1, 'in the prompt only').toBe(1);
});

test('the second half of a double click on Send does not end the turn that the first began', async ({
  page,
}) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge);
  await page.getByTestId('composer-input').fill('sleep 1500\nwrite e.txt 1');
  await page.getByTestId('send').dblclick();
  await expect.poll(() => bridge.has('e.txt')).toBe(true);
});

test('an edit by hand in between is a conflict, and nothing is written', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge, 'edit src/app.js 41 => 42\nwrite two.txt two');
  bridge.write('src/app.js', 'export const answer = 7; // mine\n');
  await lastTurn(page).getByRole('button', { name: /undo/i }).first().click();
  const dialog = page.getByTestId('undo-dialog');
  await expect(dialog).toContainText(/conflict/i);
  await expect(page.getByTestId('undo-apply')).toBeDisabled();
  expect(bridge.file('src/app.js')).toBe('export const answer = 7; // mine\n');
  expect(bridge.file('two.txt')).toBe('two\n');
});

test('a file that moved after the preview makes the plan stale', async ({ page }) => {
  await using bridge = await startBridge();
  await pair(page, bridge);
  await openSession(page, bridge, 'edit src/app.js 41 => 42');
  await lastTurn(page).getByRole('button', { name: /undo/i }).first().click();
  const dialog = page.getByTestId('undo-dialog');
  await expect(dialog).toContainText('src/app.js');
  bridge.write('src/app.js', 'export const answer = 8;\n');
  await page.getByTestId('undo-apply').click();
  await expect(dialog).toContainText(/changed since|look again/i);
  expect(bridge.file('src/app.js')).toBe('export const answer = 8;\n');
});
