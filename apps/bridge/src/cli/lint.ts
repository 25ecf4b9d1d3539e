/** `skein lint`: checks every line of a session file. */
import type { Command } from 'commander';
import { type Cli, type RunCommand, strandOf, withClient } from './cli.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';

export const addLint = (program: Command, run: RunCommand): void => {
  program
    .command('lint')
    .description('check the file of a session, line by line; exit code 1 when something is wrong')
    .argument('[S]', 'the session')
    .addHelpText(
      'after',
      examples('skein lint', 'skein lint latest --json   # {"ok":…,"records":…,"problems":[…]}'),
    )
    .action((selector: string | undefined) => run((cli) => lint(cli, selector)));
};

const lint = async (cli: Cli, selector: string | undefined): Promise<number> => {
  const { out } = cli;
  const { id, report } = await withClient(cli, async (client) => {
    const strand = await strandOf(cli, client, selector);
    return { id: strand.id, report: await client.strands.lint.query({ strand: strand.id }) };
  });
  if (out.json) out.value(report);
  for (const { line: number, problem } of report.problems)
    out.print(line`${out.style.red(line`line ${number}`)}  ${problem}`);
  out.print(
    report.ok
      ? line`${out.style.green(line`✓`)} ${id.slice(0, 8)}: ${report.records} records, no problem.`
      : line`${id.slice(0, 8)}: ${report.records} records, ${report.problems.length} problem(s).`,
  );
  return report.ok ? 0 : 1;
};
