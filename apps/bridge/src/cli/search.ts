/** `skein search`: words in every session, our own and those of other agents. */
import { resolve } from 'node:path';
import type { SearchOutput } from '@skein/core/protocol/search';
import { foreignAgentSchema } from '@skein/core/record/foreign-agent';
import { type Command, Option } from 'commander';
import { type Cli, type RunCommand, withClient } from './cli.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';
import { relativeTime } from './relative-time.ts';

interface SearchOptions {
  readonly agent?: string;
  readonly in?: string;
  readonly limit: string;
}

export const addSearch = (program: Command, run: RunCommand): void => {
  program
    .command('search')
    .description('find words in all sessions, those of other agents too')
    .argument('<query...>', 'words, "a phrase", -not, OR, begin*, filters')
    .addOption(new Option('--agent <A>', 'only sessions of one agent').choices(foreignAgentSchema.options))
    .option('--in <dir>', 'only sessions of that folder and the folders in it')
    .option('--limit <N>', 'sessions that are shown', '20')
    .addHelpText(
      'after',
      `
Filters: agent: in: file: tool: role: model: name: before: after: has:changes has:error, and re:/regular expression/.
${examples('skein search getUserById', 'skein search \'"auth middleware" -test agent:codex after:2026-01-01\'', 'skein search ENOENT --in . --json')}`,
    )
    .action((query: readonly string[], options: SearchOptions) => run((cli) => search(cli, query, options)));
};

const search = async (cli: Cli, words: readonly string[], options: SearchOptions): Promise<number> => {
  const { out, deps } = cli;
  const folder = options.in === undefined ? null : resolve(deps.env.cwd, options.in);
  const query = [
    ...words,
    ...(options.agent === undefined ? [] : [`agent:${options.agent}`]),
    ...(folder === null ? [] : [`in:"${folder}"`]),
  ].join(' ');
  const limit = Math.min(200, Math.max(1, Math.trunc(Number(options.limit)) || 20));
  const found = await withClient(cli, (client) => client.search.query.query({ query, limit }));
  for (const hint of found.hints) out.note(line`${hint}`);
  if (found.indexing !== null) out.note(line`The index is not whole yet: there may be more.`);
  if (out.json) {
    out.value(jsonOf(found));
    return 0;
  }
  if (found.groups.length === 0) {
    out.note(line`Nothing was found.`);
    return 0;
  }
  for (const group of found.groups) {
    const when = relativeTime(group.updatedAt, deps.nowMs());
    out.print(line`${group.strand.slice(0, 8)}  ${group.agent}  ${when}  ${group.title}`);
    for (const { role, snippet } of group.hits) out.print(line`    ${role}: ${snippet}`);
  }
  out.note(line`${String(found.total)}${found.isAtLeast ? ' or more' : ''} found`);
  return 0;
};

/** One list of hits, as scripts like it. */
const jsonOf = ({ total, isAtLeast, groups, hints }: SearchOutput) => ({
  total,
  isAtLeast,
  hints,
  hits: groups.flatMap(({ strand, agent, title, hits }) =>
    hits.map(({ record, turn, snippet, at, score, role }) => ({
      strand,
      record,
      turn,
      agent,
      title,
      role,
      snippet,
      at,
      score,
    })),
  ),
});
