/** Turns and their queue, wired. A turn's end starts the next queued prompt. */

import type { PersonalConfig } from '@skein/core/config/personal';
import { withDefaults } from '@skein/core/config/resolve';
import type { AgentDriver } from '../agents/driver.ts';
import { createPermissionGate } from '../agents/permission-gate.ts';
import type { Flows } from '../api/flows.ts';
import { createDecidePermission } from '../flows/decide-permission.ts';
import { createDrainQueue } from '../flows/drain-queue.ts';
import { createInterruptTurn } from '../flows/interrupt-turn.ts';
import { createRunTurn, type RunTurnDeps, type StartedTurn } from '../flows/run-turn.ts';
import { createSendPrompt } from '../flows/send-prompt.ts';
import { systemClock } from '../platform/clock.ts';
import { newName } from '../platform/ids.ts';
import type { Parts } from './parts.ts';
import { createSteering, type Steering } from './steering.ts';

export interface WiredTurns {
  readonly turns: Flows['turns'];
  readonly runTurn: (input: Parameters<Flows['turns']['prompt']>[0]) => Promise<StartedTurn>;
  /** Durable when it resolves; starts nothing. */
  readonly enqueue: Steering['add'];
  /** Reads the config anew; a running turn keeps what it started with, rules excepted. */
  readonly refresh: () => Promise<void>;
}

export const wireTurns = async (parts: Parts): Promise<WiredTurns> => {
  let config: PersonalConfig = {};
  const refresh = async (): Promise<void> => {
    ({ config } = await parts.settings.config());
    await parts.rules.refresh();
  };
  await refresh();
  const steering = createSteering(parts);
  const runTurn = createRunTurn({
    pool: parts.pool,
    running: parts.running,
    driver: (agent) => parts.drivers.find(({ name }) => name === agent),
    snapshots: parts.snapshots,
    processes: parts.processes,
    hub: parts.hub,
    clock: systemClock,
    permissions: permissionsOf(parts),
    takeSteers: steering.take,
    steerRecorded: steering.remove,
    readSpill: parts.store.readSpill,
    limits: () => withDefaults(config).limits,
    defaults: (driver) => defaultsFor(driver, config),
    forbidden: [parts.dataDir, parts.configDir],
    announce: parts.announcements.strand,
    reportFault: parts.announcements.fault,
    afterTurn: (strand, outcome) => void drain.afterTurn(strand, outcome),
  });
  const drain = createDrainQueue({
    first: parts.queues.first,
    isStopping: parts.running.isStopping,
    remove: steering.remove,
    runTurn,
    reportFault: parts.announcements.fault,
  });
  const sendPrompt = createSendPrompt({
    running: parts.running,
    enqueue: steering.add,
    startQueued: drain.start,
    runTurn,
  });
  return {
    runTurn,
    enqueue: steering.add,
    refresh,
    turns: {
      prompt: sendPrompt,
      interrupt: createInterruptTurn({ running: parts.running }),
      decide: createDecidePermission({ desk: parts.desk, remember: parts.rules.remember }),
      queue: ({ strand }) => parts.queues.list(strand),
      editQueued: ({ strand, id, text }) => steering.edit(strand, id, text),
    },
  };
};

/** The script model is there to be run; every other agent asks until the user says otherwise. */
const defaultsFor = (driver: AgentDriver, config: PersonalConfig): ReturnType<RunTurnDeps['defaults']> => {
  if (driver.name === 'script') return { model: null, mode: 'auto' };
  const mode = driver.capabilities.modes.find((known) => known === config.mode);
  return { model: config.model ?? null, mode: mode ?? 'ask' };
};

const permissionsOf =
  (parts: Parts): RunTurnDeps['permissions'] =>
  ({ running, turn, root, cwd, mode, interactive }) =>
    createPermissionGate({
      strand: running.strand,
      turn,
      root,
      cwd,
      mode,
      interactive,
      rules: () => parts.rules.rules(running.strand),
      newId: newName,
      nowIso: systemClock.nowIso,
      async ask(request) {
        running.waiting.add(request.id);
        parts.hub.global({ type: 'permission', request });
        parts.announcements.strand(running.strand);
        try {
          return await parts.desk.wait(request, running.controller.signal);
        } finally {
          running.waiting.delete(request.id);
          parts.hub.global({ type: 'permission_closed', id: request.id, strand: running.strand });
          parts.announcements.strand(running.strand);
        }
      },
    });
