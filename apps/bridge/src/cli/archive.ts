/** `skein archive`: takes a session out of the lists, or puts it back. */
import type { Command } from 'commander';
import { type Cli, type RunCommand, strandOf, withClient } from './cli.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';

export const addArchive = (program: Command, run: RunCommand): void => {
  program
    .command('archive')
    .description('take a session out of the lists; nothing is deleted')
    .argument('[S]', 'the session')
    .option('--undo', 'put it back')
    .addHelpText(
      'after',
      examples('skein archive login', 'skein archive --undo login', 'skein strands --archived'),
    )
    .action((selector: string | undefined, options: { undo?: boolean }) =>
      run((cli) => archive(cli, selector, options.undo !== true)),
    );
};

const archive = async (cli: Cli, selector: string | undefined, archived: boolean): Promise<number> => {
  const summary = await withClient(cli, async (client) => {
    const { id } = await strandOf(cli, client, selector);
    return client.strands.flag.mutate({ strand: id, archived });
  });
  if (cli.out.json) cli.out.value(summary);
  const label = summary.name ?? summary.id.slice(0, 8);
  cli.out.print(archived ? line`${label} is archived.` : line`${label} is back in the lists.`);
  return 0;
};
