/** `skein stop`: asks the running bridge to end. */
import type { Command } from 'commander';
import { type Cli, type RunCommand, using } from './cli.ts';
import { remoteClient } from './clients.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';

export const addStop = (program: Command, run: RunCommand): void => {
  program
    .command('stop')
    .description('stop the running bridge; running turns are interrupted and kept')
    .addHelpText('after', examples('skein stop', 'skein stop --json   # {"stopping":true,"pid":…}'))
    .action(() => run(stop));
};

/** Works across versions on purpose: it is what an incompatible bridge needs. */
const stop = async ({ deps, out }: Cli): Promise<number> => {
  const running = await deps.findRunning();
  if (running === null) {
    if (out.json) out.value({ stopping: false, pid: null });
    out.print(line`No bridge is running.`);
    return 0;
  }
  const { stopping } = await using(remoteClient(running), (client) => client.system.stop.mutate());
  if (out.json) out.value({ stopping, pid: running.pid });
  out.print(line`Skein stops (process ${running.pid}).`);
  return 0;
};
