/** Starts strands-child.ts and reads what it says. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Child {
  readonly process: ChildProcess;
  /** Everything said so far, parsed. */
  readonly said: readonly Record<string, unknown>[];
  /** Resolves with the first saying that fits, also an earlier one. */
  until(fits: (saying: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  /** Resolves when it ended and everything was read. */
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stderr: string;
  }>;
}

export const CHILD = join(import.meta.dirname, 'strands-child.ts');

export const startChild = (args: readonly string[], prefix: readonly string[] = []): Child => {
  const command = [...prefix, process.execPath, CHILD, ...args];
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] });
  const said: Record<string, unknown>[] = [];
  let text = '';
  let stderr = '';
  let notify: () => void = () => undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (text + chunk.toString('latin1')).split('\n');
    text = parts.pop() ?? '';
    said.push(...parts.map((line) => JSON.parse(line) as Record<string, unknown>));
    notify();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  let over = false;
  const ended = new Promise<Awaited<Child['ended']>>((resolve) => {
    child.once('close', (code, signal) => {
      over = true;
      notify();
      resolve({ code, signal, stderr });
    });
  });
  const until: Child['until'] = async (fits) => {
    for (;;) {
      const found = said.find(fits);
      if (found !== undefined) return found;
      if (over) throw new Error(`the child ended before it said so: ${stderr}`);
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    }
  };
  return { process: child, said, until, ended };
};
