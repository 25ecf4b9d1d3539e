/** `skein undo`: takes the newest turn back, or one turn's files. */

import { restoreScopeSchema } from '@skein/core/record/schema';
import { type Command, Option } from 'commander';
import type { RunCommand } from './cli.ts';
import { examples } from './help.ts';
import { type RestoreOptions, restoreCommand, SCOPE_HELP } from './restore-command.ts';

export const addUndo = (program: Command, run: RunCommand): void => {
  program
    .command('undo')
    .description('take a turn back; an edit made since is never overwritten (exit code 3 then)')
    .argument('[S]', 'the session')
    .addOption(new Option('--scope <scope>', SCOPE_HELP).choices(restoreScopeSchema.options))
    .option('--turn <T>', 'the files of that turn: its number or its id')
    .option('--dry-run', 'show what would happen')
    .option('--plan <hash>', 'only if it is still what a dry run showed')
    .addHelpText(
      'after',
      examples(
        'skein undo',
        'skein undo --dry-run',
        'skein undo --scope files',
        'skein undo login --turn 2 --json',
      ),
    )
    .action((selector: string | undefined, options: RestoreOptions) =>
      run((cli) => restoreCommand(cli, 'undo', { selector, options })),
    );
};
