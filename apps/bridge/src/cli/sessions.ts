/** `skein sessions`: sessions of other agents on this machine; `skein continue`: one goes on as a new session. */
import { resolve } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { type ForeignSession, historyListInputSchema } from '@skein/core/protocol/history';
import { foreignAgentSchema } from '@skein/core/record/foreign-agent';
import type { StrandId } from '@skein/core/record/ids';
import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { byteWords } from './byte-words.ts';
import { type Cli, type RunCommand, withClient } from './cli.ts';
import type { ApiClient } from './deps.ts';
import { examples } from './help.ts';
import { line, words } from './printable.ts';
import { relativeTime } from './relative-time.ts';
import { cut, printTable } from './table.ts';

interface SessionsOptions {
  readonly agent?: ForeignSession['agent'];
  readonly in?: string;
  readonly text?: string;
  readonly gone?: true;
}

const TABLE_LIMIT = 40;
const PAGE = 1000;

export const addSessions = (program: Command, run: RunCommand): void => {
  program
    .command('sessions')
    .description('list the sessions of other agents on this machine, newest first')
    .addOption(new Option('--agent <A>', 'only those of one agent').choices(foreignAgentSchema.options))
    .option('--in <dir>', 'only those of that folder and the folders in it')
    .option('--text <words>', 'only those whose title, folder or file has these words')
    .option('--gone', 'only those whose file is gone and that the vault kept')
    .addHelpText(
      'after',
      `
They are read where they lie and never written to. "skein show ID" shows one.
${examples('skein sessions --in .', 'skein sessions --agent codex --json')}`,
    )
    .action((options: SessionsOptions) => run((cli) => sessions(cli, options)));
};

const sessions = async (cli: Cli, options: SessionsOptions): Promise<number> => {
  const { out, deps } = cli;
  const filter = historyListInputSchema.partial().parse({
    agent: options.agent,
    cwd: options.in === undefined ? undefined : resolve(deps.env.cwd, options.in),
    text: options.text,
    gone: options.gone,
  });
  const { items, notices } = await withClient(cli, (client) => listed(client, filter));
  for (const notice of notices) out.note(line`${notice}`);
  if (out.json) {
    out.value(items);
    return 0;
  }
  if (items.length === 0) {
    out.note(line`No session of another agent fits.`);
    return 0;
  }
  const rows = items
    .slice(0, TABLE_LIMIT)
    .map((item) => [
      out.style.cyan(words(item.id.slice(0, 8))),
      cut(item.agent, 12),
      words(String(item.prompts)),
      words(byteWords(item.sizeBytes)),
      words(relativeTime(item.updatedAt, deps.nowMs())),
      cut(`${item.gone ? '(gone) ' : ''}${item.title === '' ? '(no prompt)' : item.title}`, out.columns - 56),
    ]);
  printTable(out, COLUMNS, rows);
  if (items.length > TABLE_LIMIT)
    out.note(out.noteStyle.dim(line`${items.length - TABLE_LIMIT} more; see them with --json.`));
  return 0;
};

const COLUMNS = [
  { title: 'ID' },
  { title: 'AGENT' },
  { title: 'PROMPTS', align: 'right' },
  { title: 'SIZE', align: 'right' },
  { title: 'UPDATED' },
  { title: 'SESSION' },
] as const;

type Filter = Partial<z.input<typeof historyListInputSchema>>;

const listed = async (client: ApiClient, filter: Filter) => {
  const items: ForeignSession[] = [];
  for (let after: StrandId | undefined; ; ) {
    const page = await client.history.list.query({ ...filter, after, limit: PAGE });
    items.push(...page.items);
    if (page.next === null) return { items, notices: page.notices };
    after = page.next;
  }
};

/** The session that an id, or the start of one, names. Faults: `not_found`, `ambiguous`. */
export const sessionOf = async (client: ApiClient, id: string): Promise<ForeignSession> => {
  const { items } = await listed(client, {});
  const found = items.filter((item) => item.id.startsWith(id.toLowerCase()));
  const [session, ...others] = found;
  if (session === undefined)
    throw new BridgeError('not_found', `No session of another agent has an id that starts with ${id}.`, {
      data: { selector: id },
    });
  if (others.length > 0)
    throw new BridgeError('ambiguous', `${id} fits ${found.length} sessions; give more of the id.`, {
      data: { selector: id, candidates: found.map((one) => one.id) },
    });
  return session;
};
