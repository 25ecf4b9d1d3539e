/** A place to run turns of a driver in: a folder, a gate, a process host, answers to permissions, and the events. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { Part } from '@skein/core/record/parts';
import type { ContextMessage } from '@skein/core/strand/context';
import type { AgentEvent } from '@skein/core/turn/agent-event';
import type { AgentDriver, AgentTurn } from '../../src/agents/driver.ts';
import type { PermissionAnswer, PermissionGate } from '../../src/agents/ports.ts';
import { readProcessIdentity } from '../../src/platform/host.ts';
import { openProcessHost } from '../../src/platform/process-group.ts';
import { openPlainGate, type PlainGate } from './plain-gate.ts';

export interface TurnBench {
  readonly dir: string;
  readonly gate: PlainGate;
  readonly asked: Parameters<PermissionGate['ask']>[0][];
  /** Runs one turn to its end, or until `stop` says that the consumer leaves. */
  run(driver: AgentDriver, turn: TurnInput): Promise<AgentEvent[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type TurnInput = Partial<Omit<AgentTurn, 'context' | 'limits' | 'permissions'>> & {
  readonly prompt?: string;
  readonly parts?: readonly Part[];
  readonly context?: readonly ContextMessage[];
  readonly limits?: Partial<AgentTurn['limits']>;
  readonly answer?: (
    request: Parameters<PermissionGate['ask']>[0],
  ) => PermissionAnswer | Promise<PermissionAnswer>;
  readonly onEvent?: (event: AgentEvent) => unknown;
};

export const openTurnBench = (): TurnBench => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'skein-turn-')));
  const gate = openPlainGate(dir);
  const asked: Parameters<PermissionGate['ask']>[0][] = [];
  const processes = openProcessHost({
    watchdogScript: new URL('../../src/watchdog/watchdog.ts', import.meta.url).pathname,
    nodePath: process.execPath,
    registryDir: join(dir, '..', `${dir.split('/').at(-1)}-children`),
    process: readProcessIdentity(),
    env: { PATH: process.env['PATH'] ?? '' },
    graceMs: 300,
    onFault: (fault) => process.emitWarning(String(fault)),
  });
  let turns = 0;
  return {
    dir,
    gate,
    asked,
    async run(driver, input) {
      const session = await driver.start({ strand: '0123456789ab' as StrandId, cwd: dir, root: dir });
      const prompt = input.parts ?? [{ type: 'text', text: input.prompt ?? '' }];
      turns += 1;
      const turn: AgentTurn = {
        turn: `turn0000000${turns}` as TurnId,
        readSpill: async () => new Uint8Array(),
        model: null,
        mode: 'auto',
        signal: new AbortController().signal,
        takeSteers: () => [],
        gate,
        processes,
        ...input,
        context: [...(input.context ?? []), userMessage(prompt)],
        limits: { steps: 50, costUsd: null, shellTimeoutMs: 20_000, ...input.limits },
        permissions: {
          ask: async (request) => {
            asked.push(request);
            return input.answer?.(request) ?? { kind: 'allowed', by: 'mode' };
          },
        },
      };
      const events: AgentEvent[] = [];
      for await (const event of session.prompt(turn)) {
        events.push(event);
        await input.onEvent?.(event);
      }
      await session.close();
      return events;
    },
    async [Symbol.asyncDispose]() {
      await processes[Symbol.asyncDispose]();
      rmSync(`${dir}-children`, { recursive: true, force: true });
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

export const userMessage = (parts: readonly Part[]): ContextMessage => ({
  role: 'user',
  parts,
  record: '000000000001' as never,
  model: null,
});

export const textOf = (events: readonly AgentEvent[]): string =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');

export const ofType = <T extends AgentEvent['type']>(
  events: readonly AgentEvent[],
  type: T,
): Extract<AgentEvent, { type: T }>[] =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

export const endOf = (events: readonly AgentEvent[]): Extract<AgentEvent, { type: 'end' }> => {
  const ends = ofType(events, 'end');
  if (ends.length !== 1 || events.at(-1)?.type !== 'end') throw new Error(`ends: ${ends.length}`);
  return ends[0]!;
};
