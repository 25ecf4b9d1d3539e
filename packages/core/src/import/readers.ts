/** The one list of readers. A new agent is a reader, a place (places.ts) and a fixture. */
import { claudeCodeReader } from './claude-code/claude-code.ts';
import { codexReader } from './codex/codex.ts';
import { copilotReader } from './copilot/copilot.ts';
import { geminiReader } from './gemini/gemini.ts';
import { opencodeReader } from './opencode/opencode.ts';
import { piReader } from './pi/pi.ts';
import type { AnyReader, ForeignAgent, SessionReader } from './reader.ts';
import { skeinReader } from './skein/skein.ts';

/** Each reader gets back the state that it made itself. */
const anyOf = <State>(reader: SessionReader<State>): AnyReader => ({
  ...reader,
  read: (state, text, line) => reader.read(state as State, text, line),
  end: (state) => reader.end(state as State),
  takesRest: (state) => reader.takesRest?.(state as State) ?? false,
});

export const readers: ReadonlyMap<ForeignAgent, AnyReader> = new Map(
  [
    anyOf(claudeCodeReader),
    anyOf(codexReader),
    anyOf(geminiReader),
    anyOf(opencodeReader),
    anyOf(piReader('pi')),
    anyOf(piReader('omp')),
    anyOf(copilotReader),
    anyOf(skeinReader),
  ].map((reader) => [reader.agent, reader]),
);
