/** `skein strands`: the sessions of this machine, newest first. */
import { resolve } from 'node:path';
import type { StrandState, StrandSummary } from '@skein/core/protocol/strands';
import { type Command, InvalidArgumentError } from 'commander';
import { type Cli, type RunCommand, withClient } from './cli.ts';
import type { ApiClient } from './deps.ts';
import { examples } from './help.ts';
import type { Output } from './output.ts';
import { line, type Printable, words } from './printable.ts';
import { relativeTime } from './relative-time.ts';
import { cut, printTable } from './table.ts';

interface StrandsOptions {
  readonly here?: boolean;
  readonly cwd?: string;
  readonly agent?: string;
  readonly text?: string;
  readonly changed?: boolean;
  readonly archived?: boolean;
  readonly limit?: number;
}

const PAGE = 200;
const TABLE_LIMIT = 40;

export const addStrands = (program: Command, run: RunCommand): void => {
  program
    .command('strands')
    .alias('ls')
    .description('list sessions, newest first')
    .option('--here', 'only those of this folder')
    .option('--cwd <dir>', 'only those of that folder')
    .option('--agent <name>', 'only those of one agent')
    .option('--text <words>', 'only those whose title, name or folder has these words')
    .option('--changed', 'only those whose newest turn changed files')
    .option('--archived', 'the archived ones')
    .option('-n, --limit <n>', `at most so many (default: ${TABLE_LIMIT}, all with --json)`, limitOf)
    .addHelpText(
      'after',
      examples('skein strands --here', 'skein strands --text "login" -n 5', 'skein strands --json'),
    )
    .action((options: StrandsOptions) => run((cli) => strands(cli, options)));
};

const strands = async (cli: Cli, options: StrandsOptions): Promise<number> => {
  const { out, deps } = cli;
  const limit = options.limit ?? (out.json ? Number.POSITIVE_INFINITY : TABLE_LIMIT);
  const { items, total } = await withClient(cli, (client) =>
    listed(client, filterOf(options, deps.env.cwd), limit),
  );
  if (out.json) {
    out.value(items);
    return 0;
  }
  if (items.length === 0) {
    out.note(line`There is no session that fits. Start one with: skein run "what you want"`);
    return 0;
  }
  const rows = items.map((item) => rowOf(item, out, deps.nowMs()));
  printTable(out, COLUMNS, rows);
  if (total > items.length)
    out.note(out.noteStyle.dim(line`${total - items.length} more; see them with -n ${total}.`));
  return 0;
};

type Filter = Parameters<ApiClient['strands']['list']['query']>[0];

const filterOf = ({ here, cwd, agent, text, changed, archived }: StrandsOptions, folder: string): Filter => ({
  cwd: here === true ? folder : cwd === undefined ? undefined : resolve(folder, cwd),
  agent,
  text,
  changed,
  archived: archived ?? false,
});

const listed = async (
  client: ApiClient,
  filter: Filter,
  limit: number,
): Promise<{ items: readonly StrandSummary[]; total: number }> => {
  const items: StrandSummary[] = [];
  for (let after: string | undefined; ; ) {
    const page = await client.strands.list.query({
      ...filter,
      after,
      limit: Math.min(PAGE, limit - items.length),
    });
    items.push(...page.items);
    if (page.next === null || items.length >= limit) return { items, total: page.total };
    after = page.next;
  }
};

const COLUMNS = [
  { title: 'ID' },
  { title: 'STATE' },
  { title: 'AGENT' },
  { title: 'TURNS', align: 'right' },
  { title: 'COST', align: 'right' },
  { title: 'UPDATED' },
  { title: 'SESSION' },
] as const;

const rowOf = (item: StrandSummary, out: Output, nowMs: number): Printable[] => {
  const { style } = out;
  const title = cut(
    item.title === '' ? '(no prompt yet)' : item.title,
    out.columns - 56 - (item.name?.length ?? 0),
  );
  return [
    style.cyan(words(item.id.slice(0, 8))),
    stateOf(item.state, out),
    cut(item.agent, 12),
    words(String(item.turns)),
    words(item.cost === 0 ? '-' : `$${item.cost.toFixed(2)}`),
    words(relativeTime(item.updatedAt, nowMs)),
    item.name === null ? title : line`${style.bold(words(item.name))} ${title}`,
  ];
};

const stateOf = (state: StrandState, { style }: Output): Printable => {
  switch (state) {
    case 'idle':
      return style.dim(words(state));
    case 'running':
      return style.green(words(state));
    case 'waiting':
    case 'interrupted':
      return style.yellow(words(state));
    case 'failed':
    case 'unreadable':
      return style.red(words(state));
  }
};

const limitOf = (text: string): number => {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It is a number from 1.');
  return Number(text);
};
