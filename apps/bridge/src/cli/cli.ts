/** What every command gets: its output, a way to the API and the meaning of `S`. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandSummary } from '@skein/core/protocol/strands';
import { PROTOCOL_VERSION } from '@skein/core/protocol/version';
import { remoteClient } from './clients.ts';
import type { ApiClient, CliDeps, Connection, RunningBridge } from './deps.ts';
import type { Output } from './output.ts';

export interface Cli {
  readonly deps: CliDeps;
  readonly out: Output;
}

/** Runs one command; the number is its exit code. */
export type RunCommand = (work: (cli: Cli) => Promise<number>) => Promise<void>;

/** Through the running bridge when there is one, else in this process; always closed afterwards. */
export const withClient = async <T>(
  { deps }: Pick<Cli, 'deps'>,
  use: (client: ApiClient) => Promise<T>,
): Promise<T> => {
  const running = await deps.findRunning();
  return using(running === null ? await deps.openInProcess() : connectTo(running), use);
};

export const using = async <T>(
  connection: Connection,
  use: (client: ApiClient) => Promise<T>,
): Promise<T> => {
  try {
    return await use(connection.client);
  } finally {
    await connection.close();
  }
};

/** Faults: `incompatible` when the bridge speaks another protocol. */
export const connectTo = (running: RunningBridge): Connection => {
  if (running.protocol !== PROTOCOL_VERSION) {
    const message = `The running bridge is Skein ${running.version} and does not fit this command; run "skein stop", then "skein up".`;
    throw new BridgeError('incompatible', message, {
      data: { running: running.protocol, own: PROTOCOL_VERSION, pid: running.pid },
    });
  }
  return remoteClient(running);
};

/** Name, id, id prefix or `latest`; without one this terminal's session, else the newest of the folder. */
export const strandOf = (
  { deps: { env } }: Pick<Cli, 'deps'>,
  client: ApiClient,
  selector: string | undefined,
): Promise<StrandSummary> =>
  client.strands.resolve.query({ selector: selector ?? null, cwd: env.cwd, terminal: env.terminal });
