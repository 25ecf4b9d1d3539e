/** `skein redo`: takes the newest undo back, or an older one's files. */
import type { Command } from 'commander';
import type { RunCommand } from './cli.ts';
import { examples } from './help.ts';
import { addRestoreOptions, type RestoreOptions, restoreCommand } from './restore-command.ts';

export const addRedo = (program: Command, run: RunCommand): void => {
  const command = program
    .command('redo')
    .description(
      'take an undo back; an edit made since is merged, or a conflict (exit code 3), never overwritten',
    )
    .argument('[S]', 'the session')
    .option('--op <id>', 'that undo instead of the newest; its id is "op" in the JSON of undo');
  addRestoreOptions(command)
    .addHelpText(
      'after',
      examples(
        'skein redo',
        'skein redo --dry-run',
        'skein redo --op 0k3v9s2m1xq7 --scope files',
        'skein redo --path src/api.ts',
      ),
    )
    .action((selector: string | undefined, options: RestoreOptions) =>
      run((cli) => restoreCommand(cli, 'redo', { selector, options })),
    );
};
