/** `skein doctor`: checks what Skein needs on this machine. */
import type { Command } from 'commander';
import { type Cli, type RunCommand, withClient } from './cli.ts';
import { examples } from './help.ts';
import type { Output } from './output.ts';
import { line, type Printable } from './printable.ts';

export const addDoctor = (program: Command, run: RunCommand): void => {
  program
    .command('doctor')
    .description(
      'check Node, git, the data directory, settings, providers and sessions; exit code 1 when something must be fixed',
    )
    .addHelpText('after', examples('skein doctor', 'skein doctor --json'))
    .action(() => run(doctor));
};

const doctor = async (cli: Cli): Promise<number> => {
  const { out } = cli;
  const report = await withClient(cli, (client) => client.system.doctor.query());
  if (out.json) out.value(report);
  for (const { name, status, message, fix } of report.checks) {
    out.print(line`${markOf(status, out)} ${out.style.bold(line`${name}`)}  ${message}`);
    if (fix !== null) out.print(line`    ${fix}`);
  }
  return report.ok ? 0 : 1;
};

const markOf = (status: 'ok' | 'warn' | 'fail', { style }: Output): Printable => {
  switch (status) {
    case 'ok':
      return style.green(line`✓`);
    case 'warn':
      return style.yellow(line`!`);
    case 'fail':
      return style.red(line`✗`);
  }
};
