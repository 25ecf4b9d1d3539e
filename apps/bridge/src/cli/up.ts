/** `skein up`: starts the bridge and opens the page; finds the one that runs already. */
import { type Command, InvalidArgumentError } from 'commander';
import { type Cli, connectTo, type RunCommand, using } from './cli.ts';
import type { RunningBridge } from './deps.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';

export interface UpOptions {
  readonly open: boolean;
  readonly port?: number;
}

export const addUp = (program: Command, run: RunCommand): void => {
  program
    .command('up')
    .description('start the bridge and open the page (the default command)')
    .option('--no-open', 'do not open a browser')
    .option('--port <n>', 'listen on this port instead of 4765', portOf)
    .addHelpText(
      'after',
      examples(
        'skein',
        'skein up --no-open --port 5000',
        'skein up --json   # {"url":"…","pid":…}, one line',
      ),
    )
    .action((options: UpOptions) => run((cli) => up(cli, options)));
};

const up = async (cli: Cli, options: UpOptions): Promise<number> => {
  const running = await cli.deps.findRunning();
  if (running !== null) return showRunning(cli, running, options);
  const { out, deps } = cli;
  const bridge = await deps.startBridge({ port: options.port });
  if (out.json) out.value({ url: bridge.url, pid: bridge.pid });
  out.print(line`Skein is running at ${out.style.bold(line`${bridge.url}`)}`);
  await openPage(cli, bridge.openingLink, options.open);
  if (deps.env.stdoutIsTty) out.print(out.style.dim(line`Press Ctrl-C to stop it.`));
  await bridge.done;
  return 0;
};

const showRunning = async (cli: Cli, running: RunningBridge, options: UpOptions): Promise<number> => {
  const { out } = cli;
  return using(connectTo(running), async (client) => {
    if (out.json) out.value({ url: running.url, pid: running.pid });
    out.print(line`Skein runs already at ${out.style.bold(line`${running.url}`)} (process ${running.pid}).`);
    if (options.port !== undefined && !running.url.endsWith(`:${options.port}`))
      out.note(line`The port stays as it is; "skein stop" first to change it.`);
    const { url } = await client.system.openingLink.mutate();
    await openPage(cli, url, options.open);
    return 0;
  });
};

/** Opens the link, or prints it: it works once and for a minute. A file or a pipe never gets it. */
export const openPage = async ({ deps, out }: Cli, link: string, wanted: boolean): Promise<void> => {
  if (wanted && (await deps.openBrowser(link))) {
    out.print(line`The page opens in your browser.`);
    return;
  }
  if (deps.env.stdoutIsTty) out.print(line`Open this link; it works once, within a minute: ${link}`);
  else out.print(line`"skein open" prints a link that opens the page.`);
};

const portOf = (text: string): number => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
};
