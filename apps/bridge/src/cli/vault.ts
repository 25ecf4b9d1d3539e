/** `skein vault`: copies of other agents' sessions, so that their tools' clean-up loses nothing. */
import { resolve } from 'node:path';
import type { VaultStatus } from '@skein/core/protocol/history';
import type { Command } from 'commander';
import { byteWords } from './byte-words.ts';
import { type Cli, type RunCommand, withClient } from './cli.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';
import { sessionOf } from './sessions.ts';

export const addVault = (program: Command, run: RunCommand): void => {
  const vault = program
    .command('vault')
    .description("keep copies of other agents' sessions, so that their clean-up loses nothing")
    .addHelpText(
      'after',
      PLAIN_TEXT + examples('skein vault on', 'skein sessions --gone', 'skein vault restore 3f2a91c0'),
    );
  vault
    .command('status', { isDefault: true })
    .description('what is kept')
    .addHelpText('after', examples('skein vault status --json'))
    .action(() => run((cli) => show(cli, null)));
  vault
    .command('on')
    .description('keep copies from now on')
    .addHelpText('after', PLAIN_TEXT + examples('skein vault on'))
    .action(() => run((cli) => show(cli, true)));
  vault
    .command('off')
    .description('keep no more copies; those that are there stay')
    .addHelpText('after', examples('skein vault off'))
    .action(() => run((cli) => show(cli, false)));
  vault
    .command('restore')
    .description("write a kept session's file back, where nothing is")
    .argument('<ID>', 'the session, as "skein sessions" lists it, or the start of its id')
    .option('--to <file>', 'another place (default: where the tool had it)')
    .addHelpText(
      'after',
      examples('skein vault restore 3f2a91c0', 'skein vault restore 3f2a91c0 --to copy.jsonl'),
    )
    .action((id: string, options: { readonly to?: string }) => run((cli) => restore(cli, id, options.to)));
};

const PLAIN_TEXT = `
Copies hold what the sessions hold, secrets included. They are not encrypted; only you can read them.
`;

const show = async (cli: Cli, on: boolean | null): Promise<number> => {
  const status = await withClient(cli, (client) =>
    on === null ? client.history.vault.query() : client.history.setVault.mutate({ on }),
  );
  if (cli.out.json) cli.out.value(status);
  else print(cli, status);
  return 0;
};

const print = ({ out }: Cli, status: VaultStatus): void => {
  const sizes = `${byteWords(status.rawBytes)} in ${byteWords(status.storedBytes)}`;
  out.note(
    line`The vault is ${status.on ? 'on' : 'off'}: ${status.sessions} sessions kept (${sizes}), ${status.gone} of them gone elsewhere.`,
  );
  if (status.damaged > 0) out.note(line`${status.damaged} copies are damaged.`);
};

const restore = async (cli: Cli, id: string, to: string | undefined): Promise<number> => {
  const { deps, out } = cli;
  const written = await withClient(cli, async (client) => {
    const { id: session } = await sessionOf(client, id);
    const place = to === undefined ? undefined : resolve(deps.env.cwd, to);
    return client.history.restoreFromVault.mutate({ session, to: place });
  });
  if (out.json) out.value(written);
  else out.note(line`Wrote ${written.path} (${byteWords(written.bytes)}).`);
  return 0;
};
