/**
 * What a tool of the loop is: a name, a description and a schema for the model, and `prepare`, which looks
 * but changes nothing and says what the call would do. Only `run` acts, after the permission gate answered.
 */
import { z } from 'zod';
import type { PermissionGate, ProcessHost, WriteGate } from '../ports.ts';
import type { ReadTracker } from './read-tracker.ts';

export interface ToolContext {
  readonly call: string;
  /** Real path of the folder the agent works in; relative paths start here. */
  readonly cwd: string;
  /** Real path of the workspace root. */
  readonly root: string;
  readonly gate: WriteGate;
  readonly processes: ProcessHost;
  readonly signal: AbortSignal;
  readonly reads: ReadTracker;
  /** Whether an existing file must have been read in this session before it may be changed. */
  readonly requireRead: boolean;
  readonly shellTimeoutMs: number;
  /** Output while the tool runs; live only. */
  readonly onOutput: (text: string) => void;
}

export interface ToolOutcome {
  readonly status: 'ok' | 'error' | 'interrupted';
  /** For the model and the record; may be long, the store spills it. */
  readonly output: string;
  readonly exitCode?: number | undefined;
}

/** What a person is asked, without the ids that the loop adds. `tool` differs from the name only for `ask`. */
export type PermissionFacts = Omit<Parameters<PermissionGate['ask']>[0], 'call' | 'input'>;

export type PreparedCall =
  | { readonly kind: 'refused'; readonly outcome: ToolOutcome }
  /** `readsOnly`: asked like any other (a rule may deny it), but not worth a record when it is allowed. */
  | {
      readonly kind: 'ready';
      readonly ask: PermissionFacts;
      readonly readsOnly?: boolean | undefined;
      readonly run: () => Promise<ToolOutcome>;
    };

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the input. */
  readonly inputSchema: Record<string, unknown>;
  prepare(input: unknown, context: ToolContext): Promise<PreparedCall>;
}

export const defineTool = <S extends z.ZodType>(spec: {
  readonly name: string;
  readonly description: string;
  readonly input: S;
  readonly prepare: (input: z.output<S>, context: ToolContext) => Promise<PreparedCall>;
}): Tool => ({
  name: spec.name,
  description: spec.description,
  inputSchema: z.toJSONSchema(spec.input, { io: 'input' }) as Record<string, unknown>,
  prepare: async (input, context) => {
    const parsed = spec.input.safeParse(input);
    if (parsed.success) return spec.prepare(parsed.data, context);
    return refused(
      `The input of ${spec.name} does not fit: ${explain(parsed.error)} Correct it and call again.`,
    );
  },
});

export const failed = (output: string): ToolOutcome => ({ status: 'error', output });
export const succeeded = (output: string): ToolOutcome => ({ status: 'ok', output });
export const refused = (message: string): PreparedCall => ({ kind: 'refused', outcome: failed(message) });
export const readOnly = (tool: string, title: string, run: () => Promise<ToolOutcome>): PreparedCall => ({
  kind: 'ready',
  ask: { tool, title, command: null, edit: null },
  readsOnly: true,
  run,
});

const explain = (error: z.ZodError): string =>
  error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? 'the whole' : path.join('.')}: ${message}.`)
    .join(' ');
