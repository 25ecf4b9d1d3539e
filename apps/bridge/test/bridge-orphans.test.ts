/** Nothing of ours is alive ten seconds after the bridge ended, however it ended (TRAPS A68). */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeSandbox, runBridge, type Sandbox } from './bridge-process.ts';

/** Processes that inherited this sandbox's environment, by command line (Linux). */
const alive = ({ dataDir }: Sandbox): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`SKEIN_DATA_DIR=${dataDir}`)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        // It ended while we looked, or is not ours to read.
        return [];
      }
    });

const waitFor = async (condition: () => boolean, forMs: number): Promise<void> => {
  const end = performance.now() + forMs;
  while (!condition() && performance.now() < end) await new Promise((done) => setTimeout(done, 100));
};

const isSleeping = (sandbox: Sandbox): boolean =>
  alive(sandbox).filter((command) => command.includes('sleep 1000')).length >= 2;

test.skipIf(process.platform !== 'linux').each(['SIGKILL', 'SIGTERM'] as const)(
  'after %s of the bridge its shell commands and helpers are gone',
  async (signal) => {
    using sandbox = makeSandbox();
    await using bridge = await runBridge(sandbox);
    const { client } = bridge.connection;
    const { id } = await client.strands.create.mutate({ cwd: sandbox.workspace, agent: 'script' });
    const text = 'sh sleep 1000 & (trap "" TERM; sleep 1000) & sleep 1000';
    await client.turns.prompt.mutate({ strand: id, text, by: 'script' });
    await waitFor(() => isSleeping(sandbox), 10_000);
    expect(isSleeping(sandbox), 'the commands run').toBe(true);
    await bridge.end(signal);
    await waitFor(() => alive(sandbox).length === 0, 10_000);
    expect(alive(sandbox)).toEqual([]);
  },
  60_000,
);
