/** `skein store`: what snapshots cost on disk, and giving it back. */
import type { StoreCleanup, StoreUsage } from '@skein/core/protocol/store';
import type { Command } from 'commander';
import { type Cli, type RunCommand, withClient } from './cli.ts';
import { usageError } from './failure.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';
import { relativeTime } from './relative-time.ts';

const SECRETS = `
The store holds contents of your files in plain text, secrets in them included, readable by you only. They go
when a session was not used for "snapshots.retentionDays" (7); "purge" deletes them at once.
`;

interface PurgeOptions {
  readonly workspace?: string;
  readonly yes?: boolean;
}

export const addStore = (program: Command, run: RunCommand): void => {
  const store = program
    .command('store')
    .description('what snapshots cost on disk, and giving it back')
    .addHelpText(
      'after',
      SECRETS + examples('skein store du', 'skein store gc', 'skein store purge --workspace ~/acme/api'),
    );
  store
    .command('du', { isDefault: true })
    .description('bytes for each workspace')
    .action(() => run(du));
  store
    .command('gc')
    .description('remove what the retention settings no longer keep')
    .action(() => run(gc));
  store
    .command('purge')
    .description('delete saved versions now; those turns cannot be undone afterwards')
    .option('--workspace <folder>', 'only of this folder or store key')
    .option('--yes', 'do not ask')
    .action((options: PurgeOptions) => run((cli) => purge(cli, options)));
};

const du = async (cli: Cli): Promise<number> => {
  const usage = await withClient(cli, (client) => client.store.usage.query());
  if (cli.out.json) cli.out.value(usage);
  else printUsage(cli, usage);
  return 0;
};

const printUsage = ({ out, deps }: Cli, usage: StoreUsage): void => {
  for (const { workspace, key, bytes, turns, lastUsedAt, gone } of usage.stores) {
    const used = lastUsedAt === null ? 'never' : relativeTime(lastUsedAt, deps.nowMs());
    const where = `${workspace ?? key}${gone ? ' (gone)' : ''}`;
    out.print(
      line`${sizeOf(bytes).padStart(10)}  ${String(turns).padStart(5)} turns  ${used.padEnd(10)}  ${where}`,
    );
  }
  out.print(line`${sizeOf(usage.blobs).padStart(10)}  saved versions of gated writes`);
  out.print(line`${sizeOf(usage.journals).padStart(10)}  journals`);
  if (usage.trash > 0) out.print(line`${sizeOf(usage.trash).padStart(10)}  trash, emptied after 7 days`);
  out.print(out.style.bold(line`${sizeOf(usage.total).padStart(10)}  in all`));
  const days =
    usage.retentionDays === 'forever'
      ? 'for ever'
      : `for ${usage.retentionDays} days after a session's last use`;
  out.note(out.noteStyle.dim(line`Kept ${days}, at most ${sizeOf(usage.maxBytes)} a store.`));
};

const gc = async (cli: Cli): Promise<number> => {
  const cleanup = await withClient(cli, (client) => client.store.gc.mutate());
  report(cli, cleanup);
  return 0;
};

const purge = async (cli: Cli, options: PurgeOptions): Promise<number> => {
  const what =
    options.workspace === undefined
      ? 'all saved versions of all workspaces'
      : `the saved versions of ${options.workspace}`;
  if (options.yes !== true && !(await agrees(cli, what))) {
    cli.out.note(line`Nothing was deleted.`);
    return 1;
  }
  const cleanup = await withClient(cli, async (client) => {
    const { stores } = options.workspace === undefined ? { stores: [] } : await client.store.usage.query();
    const found = stores.find(
      ({ key, workspace }) => key === options.workspace || workspace === absolute(cli, options.workspace),
    );
    if (options.workspace !== undefined && found === undefined)
      throw usageError(`There are no snapshots of ${options.workspace}; see "skein store du".`);
    return client.store.purge.mutate(found === undefined ? {} : { key: found.key });
  });
  report(cli, cleanup);
  return 0;
};

const agrees = async ({ deps, out }: Cli, what: string): Promise<boolean> => {
  if (!deps.env.stdinIsTty || out.json)
    throw usageError(`This deletes ${what}. Say --yes to do it without being asked.`);
  const answer = await deps.ask(
    `Delete ${what}? What they hold cannot be undone afterwards. [y/N] `,
    new AbortController().signal,
  );
  return answer !== null && /^y(es)?$/i.test(answer.trim());
};

const absolute = ({ deps }: Cli, path: string | undefined): string =>
  path === undefined || path.startsWith('/') ? (path ?? '') : `${deps.env.cwd}/${path}`.replace(/\/\.?$/, '');

const report = ({ out }: Cli, cleanup: StoreCleanup): void => {
  if (out.json) out.value(cleanup);
  else out.print(line`Freed ${sizeOf(cleanup.freed)}; ${cleanup.expired} turn(s) can no longer be undone.`);
};

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

const sizeOf = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power] ?? 'B'}`;
};
