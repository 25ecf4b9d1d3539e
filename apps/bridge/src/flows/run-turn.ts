/**
 * Runs one turn: prompt on disk, agent started, events to records, files settled, turn record on disk.
 * Core's recorder decides what is durable; the writer decides when it is; this file only keeps the order.
 * The turn belongs to the bridge: no page or socket can end it but by `interrupt`.
 */
import type { PermissionMode } from '@skein/core/config/personal';
import { BridgeError, isBridgeError } from '@skein/core/protocol/errors';
import type { PromptInput } from '@skein/core/protocol/turns';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { Part } from '@skein/core/record/parts';
import type { Coverage, FileChange, TurnOutcome } from '@skein/core/record/schema';
import { contextOf } from '@skein/core/strand/context';
import { pendingNote } from '@skein/core/strand/note';
import { settingsOf, settingText } from '@skein/core/strand/settings';
import type { AgentEvent } from '@skein/core/turn/agent-event';
import { externalEffects, noCalls, noteCall } from '@skein/core/turn/external-effects';
import { catchUp, interruptRecorder, record, startRecorder } from '@skein/core/turn/recorder';
import type { AgentDriver, AgentTurn } from '../agents/driver.ts';
import type { PermissionGate, ProcessHost } from '../agents/ports.ts';
import type { RunningTurn, RunningTurns } from '../agents/running-turns.ts';
import type { EventHub } from '../events/types.ts';
import type { Clock } from '../platform/clock.ts';
import type { SnapshotStore, TurnGate } from '../snapshots/types.ts';
import type { StrandWriter } from '../strands/types.ts';
import type { WriterPool } from '../strands/writer-pool.ts';

export interface RunTurnDeps {
  readonly pool: Pick<WriterPool, 'borrow' | 'discard'>;
  readonly running: RunningTurns;
  readonly driver: (agent: string) => AgentDriver | undefined;
  readonly snapshots: Pick<SnapshotStore, 'openGate'>;
  readonly processes: ProcessHost;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly permissions: (turn: {
    readonly running: RunningTurn;
    readonly turn: TurnId;
    readonly root: string;
    readonly cwd: string;
    readonly mode: () => PermissionMode;
    readonly interactive: boolean;
  }) => PermissionGate;
  /** Handed out only: a steer is acknowledged words, so it stays queued until `steerRecorded`. */
  readonly takeSteers: (strand: StrandId) => readonly { id: string; text: string }[];
  /** The steer is durably in the strand. */
  readonly steerRecorded: (strand: StrandId, id: string) => Promise<void>;
  readonly readSpill: (sha256: string) => Promise<Uint8Array>;
  readonly limits: () => AgentTurn['limits'];
  /** What holds when the session itself says nothing. */
  readonly defaults: (driver: AgentDriver) => {
    readonly model: string | null;
    readonly mode: PermissionMode;
  };
  /** Real paths that no tool may touch: the data and config directories. */
  readonly forbidden: readonly string[];
  /** Tells pages that the strand's row changed. */
  readonly announce: (strand: StrandId) => void;
  /** A turn's end could not be written; the next opening closes it as interrupted. */
  readonly reportFault: (strand: StrandId, error: unknown) => void;
  readonly afterTurn: (strand: StrandId, outcome: TurnOutcome) => void;
}

export interface StartedTurn {
  readonly turn: TurnId;
  readonly settled: Promise<void>;
}

interface Ending {
  readonly outcome: TurnOutcome;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

interface OpenTurn {
  readonly input: PromptInput;
  readonly writer: StrandWriter;
  readonly driver: AgentDriver;
  readonly running: RunningTurn;
  readonly turn: TurnId;
}

/** Resolves when the prompt is on disk. Faults: `busy`, `held`, `read_only`, `not_found`, `invalid_input`, `io`. */
export const createRunTurn =
  (deps: RunTurnDeps) =>
  async (input: PromptInput): Promise<StartedTurn> => {
    if (input.text.trim() === '' && input.images.length === 0)
      throw new BridgeError('invalid_input', 'A prompt needs words or an image.');
    const begun = deps.running.begin(input.strand);
    if (begun === null)
      throw new BridgeError('busy', 'A turn is running in this session.', { data: { holder: 'turn' } });
    const { running, finish } = begun;
    let release = (): void => undefined;
    try {
      const loan = await deps.pool.borrow(input.strand);
      release = loan.release;
      const agent = loan.writer.state.header?.agent ?? '';
      const driver = deps.driver(agent);
      if (driver === undefined)
        throw new BridgeError('not_found', `This session's agent, ${agent}, is not known here.`, {
          data: { agent },
        });
      const [prompt] = await loan.writer.append([
        { kind: 'message', role: 'user', by: input.by, parts: partsOf(input, loan.writer) },
      ]);
      if (prompt === undefined) throw new BridgeError('internal', 'The prompt was not written.');
      running.turn = prompt.id;
      deps.hub.strandGrew(input.strand);
      deps.announce(input.strand);
      const open: OpenTurn = { input, writer: loan.writer, driver, running, turn: prompt.id };
      void carryOut(deps, open).then((outcome) => {
        release();
        finish();
        deps.announce(input.strand);
        deps.afterTurn(input.strand, outcome);
      });
      return { turn: prompt.id, settled: running.settled };
    } catch (error) {
      release();
      finish();
      throw error;
    }
  };

const partsOf = (input: PromptInput, writer: StrandWriter): Part[] => {
  const note = pendingNote(writer.state);
  const parts: Part[] = note === null ? [] : [note];
  if (input.text !== '') parts.push({ type: 'text', text: input.text });
  for (const path of input.mentions) parts.push({ type: 'mention', path });
  for (const { mime, b64, name } of input.images) parts.push({ type: 'image', mime, data: b64, name });
  return parts;
};

/** Never rejects: what goes wrong ends the turn, and what cannot be written is reported. */
const carryOut = async (deps: RunTurnDeps, open: OpenTurn): Promise<TurnOutcome> => {
  const startedMs = deps.clock.nowMs();
  try {
    const { ending, gate, external } = await drive(deps, open);
    const { files, coverage } = await settleFiles(gate);
    await open.writer.append(
      [
        {
          kind: 'turn',
          prompt: open.turn,
          outcome: ending.outcome,
          error: ending.error,
          files: [...files],
          coverage,
          ...(external.length === 0 ? {} : { external: [...external] }),
          durationMs: deps.clock.nowMs() - startedMs,
        },
      ],
      { durable: true },
    );
    deps.hub.strandGrew(open.input.strand);
    return ending.outcome;
  } catch (error) {
    deps.reportFault(open.input.strand, error);
    await deps.pool.discard(open.input.strand).catch((cause) => deps.reportFault(open.input.strand, cause));
    return 'failed';
  }
};

const settleFiles = async (
  gate: TurnGate | null,
): Promise<{ readonly files: readonly FileChange[]; readonly coverage: Coverage }> =>
  gate === null ? { files: [], coverage: { level: 'full', reasons: [] } } : gate.settle();

/** Runs the agent to its end. An agent's fault becomes the turn's outcome; a fault of the log passes through. */
const drive = async (
  deps: RunTurnDeps,
  open: OpenTurn,
): Promise<{ ending: Ending; gate: TurnGate | null; external: readonly string[] }> => {
  const { writer, running, turn } = open;
  const { header } = writer.state;
  if (header === null) throw new BridgeError('unreadable', 'This session has no readable header.');
  const root = header.repo?.root ?? header.cwd;
  let recorder = startRecorder();
  let calls = noCalls;
  let ending: Ending = {
    outcome: 'failed',
    error: { code: 'internal', message: 'The agent ended without a word.' },
  };
  let published = 0;
  running.catchUp = () => ({ event: catchUp(recorder), seq: writer.state.seq, n: published });

  const take = async (event: AgentEvent): Promise<void> => {
    const step = record(recorder, event);
    recorder = step.state;
    calls = noteCall(calls, event);
    if (event.type === 'end') ending = { outcome: event.outcome, error: event.error };
    if (step.append.length > 0) {
      const isSteer = event.type === 'steer';
      await writer.append(step.append, { durable: isSteer });
      deps.hub.strandGrew(writer.id);
      deps.announce(writer.id);
      if (isSteer) await unqueue(deps, writer.id, event.id);
    }
    for (const live of step.live) {
      published += 1;
      deps.hub.live(writer.id, { turn, event: live, seq: writer.state.seq, n: published });
    }
  };

  const agent = await startAgent(deps, open, root);
  if (agent.kind === 'failed') {
    ending = { outcome: 'failed', error: agent.error };
  } else {
    const place = { gate: agent.gate, root, cwd: header.cwd };
    try {
      for await (const event of agent.session.prompt(agentTurn(deps, open, place))) await take(event);
    } finally {
      await agent.session.close();
    }
  }
  const rest = interruptRecorder(recorder);
  if (rest.length > 0) await writer.append(rest);
  running.catchUp = () => null;
  const external = externalEffects([...calls.ran.values()], { root, cwd: header.cwd });
  return { ending, gate: agent.gate, external };
};

/** A steer that cannot leave the queue is asked again later, which the user is told; the turn goes on. */
const unqueue = async (deps: RunTurnDeps, strand: StrandId, id: string): Promise<void> => {
  try {
    await deps.steerRecorded(strand, id);
  } catch (error) {
    deps.reportFault(strand, error);
  }
};

interface AgentPlace {
  readonly gate: TurnGate;
  readonly root: string;
  readonly cwd: string;
}

type StartedAgent =
  | {
      readonly kind: 'started';
      readonly session: Awaited<ReturnType<AgentDriver['start']>>;
      readonly gate: TurnGate;
    }
  | {
      readonly kind: 'failed';
      readonly error: { readonly code: string; readonly message: string };
      readonly gate: TurnGate | null;
    };

/** An agent that cannot start (no key, program missing) is an expected outcome: it fails the turn, in words. */
const startAgent = async (deps: RunTurnDeps, open: OpenTurn, root: string): Promise<StartedAgent> => {
  const { id: strand, state } = open.writer;
  const cwd = state.header?.cwd ?? root;
  let gate: TurnGate | null = null;
  try {
    // Before the agent: a gate that does not open leaves no agent behind.
    gate = await deps.snapshots.openGate({ strand, root, cwd, turn: open.turn, forbidden: deps.forbidden });
    const session = await open.driver.start({ strand, cwd, root });
    return { kind: 'started', session, gate };
  } catch (error) {
    if (!isBridgeError(error)) throw error;
    return { kind: 'failed', error: { code: error.code, message: error.message }, gate };
  }
};

const agentTurn = (deps: RunTurnDeps, open: OpenTurn, { gate, root, cwd }: AgentPlace): AgentTurn => {
  const { writer, driver, running, turn, input } = open;
  const defaults = deps.defaults(driver);
  const mode = (): PermissionMode => {
    const chosen = settingText(settingsOf(writer.state), 'mode');
    return driver.capabilities.modes.find((known) => known === chosen) ?? defaults.mode;
  };
  return {
    turn,
    context: contextOf(writer.state),
    readSpill: deps.readSpill,
    model: settingText(settingsOf(writer.state), 'model') ?? defaults.model,
    mode: mode(),
    signal: running.controller.signal,
    takeSteers: () => deps.takeSteers(writer.id),
    gate,
    permissions: deps.permissions({ running, turn, root, cwd, mode, interactive: input.interactive }),
    processes: deps.processes,
    limits: deps.limits(),
  };
};
