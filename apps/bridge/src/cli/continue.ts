/** `skein continue`: a session of another agent goes on as a new session of Skein. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Cli, type RunCommand, withClient } from './cli.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';
import { sessionOf } from './sessions.ts';

interface ContinueOptions {
  readonly agent?: string;
  readonly model?: string;
  readonly cwd?: string;
}

export const addContinue = (program: Command, run: RunCommand): void => {
  program
    .command('continue')
    .description('go on with a session of another agent, as a new session; its own file stays as it is')
    .argument('<ID>', 'the session, as "skein sessions" lists it, or the start of its id')
    .option('--agent <name>', 'who goes on (see "skein config get agent")')
    .option('--model <name>', 'model of the new session')
    .option('--cwd <dir>', "folder to go on in (default: the session's own)")
    .addHelpText('after', examples('skein continue 3f2a91c0', 'skein continue 3f2a91c0 --cwd ~/code/app'))
    .action((id: string, options: ContinueOptions) => run((cli) => continueSession(cli, id, options)));
};

const continueSession = async (cli: Cli, id: string, options: ContinueOptions): Promise<number> => {
  const { deps, out } = cli;
  const made = await withClient(cli, async (client) => {
    const { id: session } = await sessionOf(client, id);
    const cwd = options.cwd === undefined ? undefined : resolve(deps.env.cwd, options.cwd);
    const strand = await client.history.continue.mutate({
      session,
      agent: options.agent ?? deps.env.agent ?? undefined,
      model: options.model,
      cwd,
    });
    return { strand: strand.id, from: session, agent: strand.agent, cwd: strand.cwd, turns: strand.turns };
  });
  await deps.saveWaypoint(made.strand);
  if (out.json) out.value(made);
  else
    out.note(
      line`Goes on as ${made.strand.slice(0, 8)} in ${made.cwd}; say what comes next: skein run -c "…"`,
    );
  return 0;
};
