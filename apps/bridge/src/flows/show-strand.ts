/** A session's state by replay, for scripts: `skein show --json`. */

import { BridgeError } from '@skein/core/protocol/errors';
import type { showOutputSchema } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import { contextOf } from '@skein/core/strand/context';
import { pathTo } from '@skein/core/strand/path';
import type { StrandState } from '@skein/core/strand/replay';
import { settingsOf } from '@skein/core/strand/settings';
import { turnsOf } from '@skein/core/strand/turns';
import type { z } from 'zod';

export interface ShowStrandDeps {
  /** The folded file, or the open writer's state. */
  readonly state: (strand: StrandId) => Promise<StrandState>;
}

export const createShowStrand =
  (deps: ShowStrandDeps) =>
  async (input: { strand: StrandId; context: boolean }): Promise<z.infer<typeof showOutputSchema>> => {
    const state = await deps.state(input.strand);
    if (state.tip === null)
      throw new BridgeError('unreadable', state.readOnly ?? 'This session cannot be read.');
    const messages = input.context
      ? contextOf(state)
      : pathTo(state, state.tip).filter((record) => record.kind === 'message');
    return {
      strand: input.strand,
      tip: state.tip,
      settings: { ...settingsOf(state) },
      messages: [...messages],
      turns: [...turnsOf(state)],
      records: state.nodes.size,
      bad: state.bad.length,
    };
  };
