/** `skein redo`: takes the newest undo back, or an older one's files. */

import { restoreScopeSchema } from '@skein/core/record/schema';
import { type Command, Option } from 'commander';
import type { RunCommand } from './cli.ts';
import { examples } from './help.ts';
import { type RestoreOptions, restoreCommand, SCOPE_HELP } from './restore-command.ts';

export const addRedo = (program: Command, run: RunCommand): void => {
  program
    .command('redo')
    .description('take an undo back; an edit made since is never overwritten (exit code 3 then)')
    .argument('[S]', 'the session')
    .addOption(new Option('--scope <scope>', SCOPE_HELP).choices(restoreScopeSchema.options))
    .option('--op <id>', 'that undo instead of the newest; its id is "op" in the JSON of undo')
    .option('--dry-run', 'show what would happen')
    .option('--plan <hash>', 'only if it is still what a dry run showed')
    .addHelpText(
      'after',
      examples('skein redo', 'skein redo --dry-run', 'skein redo --op 0k3v9s2m1xq7 --scope files'),
    )
    .action((selector: string | undefined, options: RestoreOptions) =>
      run((cli) => restoreCommand(cli, 'redo', { selector, options })),
    );
};
