/** `skein completion`: completes commands, options and sessions in bash, zsh and fish. */
import { Argument, type Command } from 'commander';
import { type Cli, type RunCommand, withClient } from './cli.ts';
import { candidatesFor, type Lookup } from './completion-candidates.ts';
import { SHELLS, type Shell, scriptFor } from './completion-scripts.ts';
import { usageError } from './failure.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';

const HOW = `
Install:
  bash   echo 'source <(skein completion bash)' >> ~/.bashrc
  zsh    echo 'source <(skein completion zsh)' >> ~/.zshrc      (after compinit)
  fish   skein completion fish > ~/.config/fish/completions/skein.fish
`;

export const addCompletion = (program: Command, run: RunCommand): void => {
  program
    .command('completion')
    .description('print a completion script for your shell')
    .addArgument(
      new Argument('[shell]', 'your login shell by default; "words" is what the scripts call').choices([
        ...SHELLS,
        'words',
      ]),
    )
    .argument('[words...]', 'with "words": the line so far, word by word')
    .addHelpText('after', HOW + examples('skein completion zsh', 'skein completion words -- undo --sc'))
    .action((shell: Shell | 'words' | undefined, words: string[]) =>
      run((cli) => (shell === 'words' ? complete(cli, program, words) : script(cli, shell))),
    );
};

const script = async ({ out, deps }: Cli, wanted: Shell | undefined): Promise<number> => {
  const name = deps.env.shell?.split('/').at(-1);
  const shell = wanted ?? SHELLS.find((known) => known === name);
  if (shell === undefined) throw usageError(`Say which shell: ${SHELLS.join(', ')}.`);
  if (out.json) out.value({ shell, script: scriptFor(shell) });
  else out.raw(scriptFor(shell));
  return 0;
};

/** One candidate a line, a tab before its description. */
const complete = async (cli: Cli, program: Command, words: readonly string[]): Promise<number> => {
  const found = await candidatesFor(program, words, lookup(cli));
  if (cli.out.json) cli.out.value(found);
  for (const { value, about } of found) cli.out.raw(`${line`${value}`.text}\t${line`${about}`.text}\n`);
  return 0;
};

const lookup = (cli: Cli): Lookup => ({
  strands: () =>
    withClient(
      cli,
      async (client) => (await client.strands.list.query({ archived: false, limit: 100 })).items,
    ),
  agents: () => withClient(cli, (client) => client.agents.list.query()),
  stores: () => withClient(cli, async (client) => (await client.store.usage.query()).stores),
});
