/** A small project in a temp folder and a session on it, so that a newcomer without a key can watch and undo. */
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { PromptInput, PromptToQueue } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';

export interface StartDemoDeps {
  /** Makes the folder with the project's files (a git repository when git is there); returns its real path. */
  readonly makeProject: () => Promise<string>;
  readonly prompts: readonly string[];
  readonly createStrand: (input: { cwd: string; agent: string }) => Promise<StrandSummary>;
  readonly runTurn: (input: PromptInput) => Promise<{ readonly settled: Promise<void> }>;
  readonly enqueue: (strand: StrandId, prompt: PromptToQueue) => Promise<unknown>;
}

/** Starts the first prompt and queues the rest: the user watches them run one after another. */
export const createStartDemo =
  (deps: StartDemoDeps) => async (): Promise<{ strand: StrandId; cwd: string; prompts: string[] }> => {
    const cwd = await deps.makeProject();
    const { id: strand } = await deps.createStrand({ cwd, agent: 'script' });
    const [first, ...rest] = deps.prompts;
    for (const text of rest) await deps.enqueue(strand, { text, kind: 'queue' });
    if (first !== undefined)
      await deps.runTurn({
        strand,
        text: first,
        images: [],
        mentions: [],
        when: 'now',
        by: 'script',
        interactive: true,
      });
    return { strand, cwd, prompts: [...deps.prompts] };
  };
