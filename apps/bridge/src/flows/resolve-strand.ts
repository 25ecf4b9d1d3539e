/** Finds the session that a name, an id, a prefix, `latest` or nothing means (DESIGN section 8). */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandSummary, selectorInputSchema } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import { resolveSelector } from '@skein/core/strand/selector';
import type { z } from 'zod';

export interface ResolveStrandDeps {
  readonly summaries: () => Promise<readonly StrandSummary[]>;
  /** Sessions of other agents: looked at by id alone, and only when none of ours fits. */
  readonly foreign: () => Promise<readonly StrandSummary[]>;
  readonly realPath: (path: string) => Promise<string>;
  /** Where that terminal was last. */
  readonly waypoint: (terminal: string) => Promise<StrandId | null>;
}

/** Faults: `not_found`, `ambiguous` (data.candidates: ids). */
export const createResolveStrand =
  (deps: ResolveStrandDeps) =>
  async (input: z.infer<typeof selectorInputSchema>): Promise<StrandSummary> => {
    const query = {
      selector: input.selector,
      cwd: input.cwd === null ? null : await deps.realPath(input.cwd),
      waypoint: input.terminal === null ? null : await deps.waypoint(input.terminal),
    };
    const ours = resolveSelector(await deps.summaries(), query);
    const isId = /^[0-9a-f]{4,12}$/i.test(input.selector ?? '');
    const resolution = ours.kind === 'none' && isId ? resolveSelector(await deps.foreign(), query) : ours;
    switch (resolution.kind) {
      case 'found':
        return resolution.entry;
      case 'none':
        throw new BridgeError('not_found', sentenceFor(resolution.selector), {
          data: { selector: resolution.selector },
        });
      case 'ambiguous': {
        const candidates = resolution.candidates.map(({ id }) => id);
        throw new BridgeError(
          'ambiguous',
          `${resolution.selector} fits ${candidates.length} sessions; give more of the id.`,
          {
            data: { selector: resolution.selector, candidates },
          },
        );
      }
    }
  };

const sentenceFor = (selector: string | null): string =>
  selector === null
    ? 'There is no session in this folder yet; start one with "skein run".'
    : `No session is called ${selector} or has an id that starts so.`;
