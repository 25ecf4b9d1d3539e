/** `skein store`: what saved versions cost on disk, and giving it back. */
import type { StoreCleanup, StoreUsage } from '@skein/core/protocol/store';
import type { Command } from 'commander';
import { byteWords, daysWords } from './byte-words.ts';
import { type Cli, type RunCommand, withClient } from './cli.ts';
import type { ApiClient } from './deps.ts';
import { usageError } from './failure.ts';
import { examples } from './help.ts';
import type { Output } from './output.ts';
import { line, words } from './printable.ts';
import { cut, printTable } from './table.ts';

export const addStore = (program: Command, run: RunCommand): void => {
  const store = program
    .command('store')
    .description('what saved versions of files cost on disk, and giving it back')
    .addHelpText('after', PLAIN_TEXT + examples('skein store du', 'skein store gc', 'skein store purge'));
  store
    .command('du', { isDefault: true })
    .description('how much room they take, store by store')
    .addHelpText('after', PLAIN_TEXT + examples('skein store du', 'skein store du --json'))
    .action(() => run(du));
  store
    .command('gc')
    .description('give back what the settings allow; a running bridge does this every hour')
    .addHelpText('after', examples('skein store gc', 'skein config set snapshots.retentionDays 2'))
    .action(() => run(gc));
  store
    .command('purge')
    .description('remove saved versions for good, those of sessions in use excepted; sessions are kept')
    .option('--workspace <KEY>', 'one store only: its key or its folder, as "skein store du" shows them')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      PLAIN_TEXT +
        examples('skein store purge', 'skein store purge --workspace ~/code/app', 'skein store purge --yes'),
    )
    .action((options: PurgeOptions) => run((cli) => purge(cli, options)));
};

interface PurgeOptions {
  readonly workspace?: string;
  readonly yes?: true;
}

const PLAIN_TEXT = `
Saved versions are contents of your files as they were, secrets included. They are not encrypted;
only you can read the folder. What is purged cannot be undone any more.
`;

const du = async (cli: Cli): Promise<number> => {
  const usage = await withClient(cli, (client) => client.store.usage.query());
  if (cli.out.json) cli.out.value(usage);
  else printUsage(cli.out, usage);
  return 0;
};

const printUsage = (out: Output, usage: StoreUsage): void => {
  const row = (bytes: number, turns: string, what: string) => [
    words(byteWords(bytes)),
    words(turns),
    cut(what, out.columns - 24),
  ];
  const stores = usage.stores.map(({ key, workspace, bytes, turns, gone }) =>
    row(bytes, String(turns), `${workspace ?? `store ${key}`}${gone ? ' (gone)' : ''}`),
  );
  const columns = [
    { title: 'SIZE', align: 'right' },
    { title: 'TURNS', align: 'right' },
    { title: 'WHAT' },
  ] as const;
  printTable(out, columns, [
    ...stores,
    row(usage.blobs, '', 'versions saved by tools, all folders'),
    row(usage.journals, '', 'journals of turns'),
    row(usage.trash, '', 'trash'),
    row(usage.total, '', 'total'),
  ]);
  const limits = `Kept ${daysWords(usage.retentionDays)}, at most ${byteWords(usage.maxBytes)} a store.`;
  out.note(out.noteStyle.dim(line`${limits} They hold contents of your files, secrets included.`));
};

const gc = async (cli: Cli): Promise<number> => {
  print(cli.out, await withClient(cli, (client) => client.store.gc.mutate()));
  return 0;
};

const purge = async (cli: Cli, { workspace, yes }: PurgeOptions): Promise<number> => {
  const { out } = cli;
  if (yes !== true && !cli.deps.env.stdinIsTty)
    throw usageError(
      'Purging needs a terminal to ask at, or --yes. What is purged cannot be undone any more.',
    );
  const cleanup = await withClient(cli, async (client) => {
    const key = workspace === undefined ? undefined : await keyOf(cli, client, workspace);
    if (yes !== true && !(await isConfirmed(cli, workspace))) return null;
    return client.store.purge.mutate({ key });
  });
  if (cleanup === null) {
    if (out.json) out.value({ freed: 0, expired: 0 });
    out.print(line`Nothing was removed.`);
    return 0;
  }
  print(out, cleanup);
  return 0;
};

/** A folder that names one store stands for its key. What fits none is for the bridge to refuse. */
const keyOf = async ({ deps }: Cli, client: ApiClient, wanted: string): Promise<string> => {
  const { stores } = await client.store.usage.query();
  if (stores.some(({ key }) => key === wanted)) return wanted;
  const path = wanted === '.' ? deps.env.cwd : wanted.replace(/(?<=.)\/$/, '');
  return stores.find((store) => store.workspace === path)?.key ?? wanted;
};

const isConfirmed = async ({ deps, out }: Cli, workspace: string | undefined): Promise<boolean> => {
  const what = workspace === undefined ? 'all saved versions' : `the saved versions of ${workspace}`;
  out.note(line`This removes ${what} for good: no turn can be undone with them any more. Sessions are kept.`);
  const answer = await deps.ask('Go on? [y/N] ', new AbortController().signal);
  return answer !== null && /^y(es)?$/i.test(answer.trim());
};

const print = (out: Output, cleanup: StoreCleanup): void => {
  if (out.json) out.value(cleanup);
  const turns = cleanup.expired === 1 ? '1 turn' : `${cleanup.expired} turns`;
  out.print(line`${byteWords(cleanup.freed)} came free; ${turns} can no longer be undone.`);
  const inUse = cleanup.inUse ?? 0;
  if (inUse > 0) out.note(line`Left alone, since somebody is at work in them: ${inUse} sessions.`);
};
