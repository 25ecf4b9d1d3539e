/** `skein open`: a fresh opening link for a browser. */

import { BridgeError } from '@skein/core/protocol/errors';
import type { Command } from 'commander';
import { type Cli, connectTo, type RunCommand, using } from './cli.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';

export const addOpen = (program: Command, run: RunCommand): void => {
  program
    .command('open')
    .description('open the page of the running bridge')
    .option('--no-open', 'print the link instead; it works once, within a minute')
    .addHelpText(
      'after',
      examples('skein open', 'skein open --no-open', 'skein open --no-open --json   # {"url":"…"}'),
    )
    .action((options: { open: boolean }) => run((cli) => open(cli, options.open)));
};

const open = async (cli: Cli, wanted: boolean): Promise<number> => {
  const { deps, out } = cli;
  const running = await deps.findRunning();
  if (running === null)
    throw new BridgeError('not_found', 'No bridge is running; start one with "skein up".');
  const { url } = await using(connectTo(running), (client) => client.system.openingLink.mutate());
  const opened = wanted && (await deps.openBrowser(url));
  if (out.json) out.value({ url, opened });
  else if (opened) out.print(line`The page opens in your browser.`);
  else out.print(line`${url}`);
  return 0;
};
