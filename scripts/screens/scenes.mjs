// What the page is brought to before each picture. A scene plays on a bridge and a folder of its own.

import { demoFiles } from '../../packages/core/src/demo/project.ts';
import { demoPrompts } from '../../packages/core/src/demo/session.ts';

const files = Object.fromEntries(demoFiles.map(({ path, text }) => [path, text]));
const pair = async ({ page, bridge }) => {
  await page.goto(bridge.openingLink());
  await page.getByTestId('shell').waitFor();
};
const run = (bridge, script, args = []) =>
  bridge.cli(['run', '--agent', 'script', '--cwd', bridge.workspace, ...args, '-'], script);
const more = (bridge, strand, script) => bridge.cli(['run', '-s', strand, '-'], script);

/** The demo's turns, played to their end, and the page on their session. */
const demo = async (scene, turns = 3) => {
  const [first, ...rest] = demoPrompts.slice(0, turns);
  const { strand } = run(scene.bridge, first);
  for (const prompt of rest) more(scene.bridge, strand, prompt);
  await pair(scene);
  await scene.page.goto(`${scene.bridge.url}/?s=${strand}`);
  await scene.page.getByTestId('turn').last().waitFor();
  if (!scene.phone) await scene.page.getByTestId('changes-panel').waitFor();
  await scene.page.waitForFunction(() => document.querySelector('[data-loading]') === null);
  return strand;
};
const send = async (page, text) => {
  await page.getByTestId('composer-input').fill(text);
  await page.getByTestId('composer-input').press('Enter');
};
const lastTurn = (page) => page.getByTestId('turn').last();

export const SCENES = [
  {
    name: 'unpaired',
    play: async ({ page, bridge }) => {
      await page.goto(bridge.url);
      await page.getByTestId('unpaired').waitFor();
    },
  },
  { name: 'first-run', play: pair },
  { name: 'session', files, play: (scene) => demo(scene, 4) },
  {
    name: 'streaming',
    files,
    sizes: ['1440'],
    async play(scene) {
      await demo(scene, 1);
      await send(
        scene.page,
        'think Looking at the parser first.\nread src/parse.js\nsay The parser reads one note a line.\nsh echo building; sleep 20',
      );
      await lastTurn(scene.page)
        .getByText('building')
        .first()
        .waitFor()
        .catch(() => undefined);
    },
  },
  {
    name: 'permission',
    files,
    async play(scene) {
      const { strand } = run(scene.bridge, 'say Ready.', ['--mode', 'ask']);
      await pair(scene);
      await scene.page.goto(`${scene.bridge.url}/?s=${strand}`);
      await send(scene.page, 'say I would run the tests now.\nsh node --test --test-reporter=spec');
      await scene.page.getByTestId('permission-card').first().waitFor();
    },
  },
  {
    name: 'undo',
    files,
    async play(scene) {
      await demo(scene, 2);
      await lastTurn(scene.page).getByRole('button', { name: /^undo/i }).first().click();
      await scene.page.getByTestId('undo-dialog').waitFor();
    },
  },
  {
    name: 'conflict',
    files,
    async play(scene) {
      const { strand } = run(
        scene.bridge,
        'write README.md Rewritten by the agent.\nwrite notes/today.md Written by the agent.',
      );
      scene.bridge.write('README.md', 'Rewritten by hand in the meantime.\n');
      await pair(scene);
      await scene.page.goto(`${scene.bridge.url}/?s=${strand}`);
      await lastTurn(scene.page).getByRole('button', { name: /^undo/i }).first().click();
      await scene.page.getByTestId('undo-dialog').waitFor();
    },
  },
  {
    name: 'undone',
    files,
    async play(scene) {
      await demo(scene, 2);
      await lastTurn(scene.page).getByRole('button', { name: /^undo/i }).first().click();
      await scene.page.getByTestId('undo-apply').click();
      await scene.page.getByTestId('undo-dialog').waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'reconnecting',
    files,
    sizes: ['1440'],
    async play(scene) {
      await demo(scene, 1);
      await scene.bridge.kill('SIGKILL');
      await scene.page.getByTestId('connection-bar').waitFor();
    },
  },
  {
    name: 'settings',
    play: async (scene) => {
      await pair(scene);
      await scene.page.goto(`${scene.bridge.url}/?view=settings`);
      await scene.page.getByRole('heading').first().waitFor();
    },
  },
  {
    name: 'palette',
    files,
    async play(scene) {
      await demo(scene, 1);
      await scene.page.keyboard.press('Control+k');
      await scene.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'shortcuts',
    files,
    sizes: ['1440'],
    async play(scene) {
      await demo(scene, 1);
      await scene.page.getByTestId('transcript').click();
      await scene.page.keyboard.press('?');
      await scene.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'not-found',
    sizes: ['1440'],
    play: async (scene) => {
      await pair(scene);
      await scene.page.goto(`${scene.bridge.url}/?s=0123456789ab`);
      await scene.page.waitForTimeout(1500);
    },
  },
  {
    name: 'failed',
    files,
    sizes: ['1440'],
    async play(scene) {
      await demo(scene, 1);
      await send(scene.page, 'say Trying.\nfail The model endpoint is out of reach.');
      await scene.page.waitForTimeout(2500);
    },
  },
];
