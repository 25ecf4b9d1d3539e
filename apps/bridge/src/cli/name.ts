/** `skein name`: gives a session a word to call it by. */

import { isValidName, NAME_RULE } from '@skein/core/strand/selector';
import type { Command } from 'commander';
import { type Cli, type RunCommand, strandOf, withClient } from './cli.ts';
import { usageError } from './failure.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';

export const addName = (program: Command, run: RunCommand): void => {
  program
    .command('name')
    .description('name a session; the newest of two with one name wins')
    .argument('<S>', 'the session')
    .argument('<word>', 'one word; not "latest", not all digits, not all hex')
    .addHelpText('after', examples('skein name latest login', 'skein show login'))
    .action((selector: string, word: string) => run((cli) => name(cli, selector, word)));
};

const name = async (cli: Cli, selector: string, word: string): Promise<number> => {
  if (!isValidName(word)) throw usageError(NAME_RULE);
  const summary = await withClient(cli, async (client) => {
    const { id } = await strandOf(cli, client, selector);
    return client.strands.name.mutate({ strand: id, name: word });
  });
  if (cli.out.json) cli.out.value(summary);
  cli.out.print(line`${summary.id.slice(0, 8)} is called ${summary.name ?? word} now.`);
  return 0;
};
