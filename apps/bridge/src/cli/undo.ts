/** `skein undo`: takes a turn back, or a part of one. */
import type { Command } from 'commander';
import type { RunCommand } from './cli.ts';
import { examples } from './help.ts';
import { addRestoreOptions, type RestoreOptions, restoreCommand } from './restore-command.ts';

export const addUndo = (program: Command, run: RunCommand): void => {
  const command = program
    .command('undo')
    .description(
      'take a turn back; an edit made since is merged, or a conflict (exit code 3), never overwritten',
    )
    .argument('[S]', 'the session')
    .option('--turn <T>', 'the files of that turn: its number or its id')
    .option('--to <T>', 'files as that turn left them: everything after it is taken back');
  addRestoreOptions(command)
    .addHelpText(
      'after',
      examples(
        'skein undo',
        'skein undo --dry-run',
        'skein undo --scope files',
        'skein undo login --turn 2 --json',
        'skein undo --to 3',
        'skein undo --turn 2 --path src/api.ts --path test',
        'skein undo --choose src/api.ts=mine --choose README.md=markers',
      ),
    )
    .action((selector: string | undefined, options: RestoreOptions) =>
      run((cli) => restoreCommand(cli, 'undo', { selector, options })),
    );
};
