/** `skein blame`: which turn wrote which line of a file. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Cli, type RunCommand, withClient } from './cli.ts';
import { examples } from './help.ts';
import { words } from './printable.ts';
import { cut, printTable } from './table.ts';

export const addBlame = (program: Command, run: RunCommand): void => {
  program
    .command('blame')
    .description('show which turn wrote which line of a file; lines of nobody else are yours')
    .argument('<path>', 'a text file')
    .addHelpText('after', examples('skein blame src/api.ts', 'skein blame src/api.ts --json'))
    .action((path: string) => run((cli) => blame(cli, path)));
};

const blame = async (cli: Cli, path: string): Promise<number> => {
  const { deps, out } = cli;
  const found = await withClient(cli, (client) =>
    client.files.blame.query({ path: resolve(deps.env.cwd, path) }),
  );
  if (out.json) {
    out.value(found);
    return 0;
  }
  const rows = found.lines.map(({ text, by }, index) => {
    const turn = by === null ? undefined : found.turns[by];
    return [
      words(String(index + 1)),
      words(turn === undefined ? 'you' : turn.strand.slice(0, 8)),
      words(turn?.number === null || turn === undefined ? '' : String(turn.number)),
      cut(turn?.prompt ?? '', 28),
      cut(text, Math.max(20, out.columns - 52)),
    ];
  });
  printTable(out, COLUMNS, rows);
  return 0;
};

const COLUMNS = [
  { title: 'LINE', align: 'right' },
  { title: 'BY' },
  { title: 'TURN', align: 'right' },
  { title: 'PROMPT' },
  { title: 'TEXT' },
] as const;
