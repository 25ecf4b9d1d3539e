/** Words that the user sent during a turn, between their queue and the strand; and how a turn begins. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import type { StrandRecord } from '@skein/core/record/schema';
import type { AgentEvent } from '@skein/core/turn/agent-event';
import { expect, test } from 'vitest';
import type { AgentDriver, AgentTurn } from '../src/agents/driver.ts';
import { createSteering, type Steering } from '../src/compose/steering.ts';
import { createRunTurn, type RunTurnDeps, type StartedTurn } from '../src/flows/run-turn.ts';
import { systemClock } from '../src/platform/clock.ts';
import { newName } from '../src/platform/ids.ts';
import { openQueues } from '../src/settings/queues.ts';
import { type OpenPlace, openPlace } from './open-place.ts';

const CAPABILITIES: AgentDriver['capabilities'] = {
  gatesWrites: true,
  resume: true,
  steer: true,
  images: false,
  thinking: false,
  modes: ['auto'],
};

interface FakeAgent {
  readonly driver: AgentDriver;
  readonly calls: string[];
}

/** An agent whose turns are a function of the test. */
const anAgent = (play: (turn: AgentTurn) => AsyncIterable<AgentEvent>): FakeAgent => {
  const calls: string[] = [];
  const driver: AgentDriver = {
    name: 'script',
    capabilities: CAPABILITIES,
    info: () => Promise.reject(new Error('nobody asks')),
    start: async () => {
      calls.push('start');
      return {
        prompt: play,
        close: async () => {
          calls.push('close');
        },
      };
    },
  };
  return { driver, calls };
};

const turnsOf = (
  { parts }: OpenPlace,
  { driver }: FakeAgent,
  more: Partial<RunTurnDeps> = {},
): {
  readonly steering: Steering;
  readonly faults: unknown[];
  run(strand: StrandId): Promise<StartedTurn>;
} => {
  const steering = createSteering(parts);
  const faults: unknown[] = [];
  const runTurn = createRunTurn({
    pool: parts.pool,
    running: parts.running,
    driver: () => driver,
    snapshots: parts.snapshots,
    processes: parts.processes,
    hub: parts.hub,
    clock: systemClock,
    permissions: () => ({ ask: async () => ({ kind: 'allowed', by: 'mode' }) }),
    takeSteers: steering.take,
    steerRecorded: steering.remove,
    readSpill: parts.store.readSpill,
    limits: () => ({ steps: 10, costUsd: null, shellTimeoutMs: 1000 }),
    defaults: () => ({ model: null, mode: 'auto' }),
    forbidden: [],
    announce: () => undefined,
    reportFault: (_, error) => faults.push(error),
    afterTurn: () => undefined,
    ...more,
  });
  return {
    steering,
    faults,
    run: (strand) =>
      runTurn({
        strand,
        text: 'go',
        images: [],
        mentions: [],
        when: 'now',
        by: 'user',
        interactive: false,
      }),
  };
};

const steersIn = async ({ parts }: OpenPlace, strand: StrandId): Promise<string[]> => {
  const texts: string[] = [];
  for await (const { item } of parts.store.lines(strand)) {
    const record = item.kind === 'record' ? (item.record as StrandRecord) : null;
    if (record?.kind !== 'message' || record.steer !== true) continue;
    for (const part of record.parts) if (part.type === 'text') texts.push(String(part.text));
  }
  return texts;
};

/** What a bridge that starts now would find waiting. */
const waiting = async ({ dataDir }: OpenPlace, strand: StrandId): Promise<string[]> => {
  const dir = join(dataDir, 'state', 'queues');
  const queues = await openQueues({ dir, nowIso: systemClock.nowIso, newName });
  return (await queues.list(strand)).map(({ text }) => text);
};

/** Waits for both steers, then tells the first one only and fails. */
const leavesAfterOne = (said: Promise<void>) =>
  async function* (turn: AgentTurn): AsyncGenerator<AgentEvent> {
    await said;
    const [first] = turn.takeSteers();
    expect(turn.takeSteers()).toEqual([]);
    if (first !== undefined) yield { type: 'steer', ...first };
    yield { type: 'end', outcome: 'failed', error: { code: 'internal', message: 'gone' } };
  };

test('a steer leaves the queue once it is in the strand; one that was only handed out waits on', async () => {
  await using place = await openPlace();
  const strand = await place.strand();
  const said = Promise.withResolvers<void>();
  const { steering, run } = turnsOf(place, anAgent(leavesAfterOne(said.promise)));
  const { settled } = await run(strand);
  await steering.add(strand, { text: 'one', kind: 'steer' });
  await steering.add(strand, { text: 'two', kind: 'steer' });
  said.resolve();
  await settled;
  expect(await steersIn(place, strand)).toEqual(['one']);
  expect(await waiting(place, strand)).toEqual(['two']);
});

test('a steer whose record cannot be written stays in the queue', async () => {
  await using place = await openPlace();
  const strand = await place.strand();
  const said = Promise.withResolvers<void>();
  const { steering, faults, run } = turnsOf(place, anAgent(leavesAfterOne(said.promise)));
  const { settled } = await run(strand);
  await steering.add(strand, { text: 'one', kind: 'steer' });
  // The lease is gone: nothing is appended any more.
  rmSync(join(place.dataDir, 'state', 'leases'), { recursive: true, force: true });
  said.resolve();
  await settled;
  expect(faults).toMatchObject([{ code: 'held' }]);
  expect(await steersIn(place, strand)).toEqual([]);
  expect(await waiting(place, strand)).toEqual(['one']);
});

test('a steer is on disk before it leaves the queue', async () => {
  await using place = await openPlace();
  const strand = await place.strand();
  const said = Promise.withResolvers<void>();
  const agent = anAgent(leavesAfterOne(said.promise));
  const seen: unknown[] = [];
  const { pool } = place.parts;
  const { steering, run } = turnsOf(place, agent, {
    pool: {
      discard: pool.discard,
      async borrow(id) {
        const loan = await pool.borrow(id);
        const writer: typeof loan.writer = Object.create(loan.writer, {
          state: { get: () => loan.writer.state },
          append: {
            value: (bodies: Parameters<typeof loan.writer.append>[0], options?: { durable?: boolean }) => {
              for (const body of bodies)
                if (body.kind === 'message' && body.steer === true) seen.push(options?.durable);
              return loan.writer.append(bodies, options);
            },
          },
        });
        return { writer, release: loan.release };
      },
    },
  });
  const { settled } = await run(strand);
  await steering.add(strand, { text: 'one', kind: 'steer' });
  said.resolve();
  await settled;
  expect(seen).toEqual([true]);
});

test('a steer that was being saved when its turn ended is not told to the next turn', async () => {
  await using place = await openPlace();
  const { parts } = place;
  const strand = await place.strand();
  const first = parts.running.begin(strand);
  const steering = createSteering(parts);
  const adding = steering.add(strand, { text: 'late', kind: 'steer' });
  first?.finish();
  const second = parts.running.begin(strand);
  await adding;
  expect(steering.take(strand)).toEqual([]);
  expect(await waiting(place, strand)).toEqual(['late']);
  second?.finish();
});

test('a steer that was taken back before the agent asked is not told', async () => {
  await using place = await openPlace();
  const strand = await place.strand();
  const begun = place.parts.running.begin(strand);
  const steering = createSteering(place.parts);
  const { id } = await steering.add(strand, { text: 'one', kind: 'steer' });
  const { id: second } = await steering.add(strand, { text: 'two', kind: 'steer' });
  await steering.edit(strand, id, null);
  await steering.edit(strand, second, 'zwei');
  expect(steering.take(strand)).toEqual([{ id: second, text: 'zwei' }]);
  begun?.finish();
});

test('a gate that does not open fails the turn and leaves no agent behind', async () => {
  await using place = await openPlace();
  const strand = await place.strand();
  const agent = anAgent(async function* () {
    yield { type: 'end', outcome: 'done' };
  });
  const { run } = turnsOf(place, agent);
  rmSync(place.workspace, { recursive: true });
  await (await run(strand)).settled;
  expect(agent.calls).toEqual([]);
  expect(await place.parts.announcements.summary(strand)).toMatchObject({ state: 'failed' });
});
