/** The calls that keep an open session and the world in step, over the bridge. */
import type { GlobalEvent, StrandEvent } from '@skein/core/protocol/events';
import type { StrandWindow } from '@skein/core/protocol/strands';
import type { WorldSource } from '../state/world-feed.ts';
import type { StrandSource } from '../sync/strand-feed.ts';
import type { Api } from './client.ts';
import type { Tracked } from './tracked.ts';

// The casts undo what the client's types say of JSON: a member of type unknown might be missing. Ours never is.

export function createStrandSource(api: Api): StrandSource {
  return {
    window: async (input) => (await api.strands.window.query(input)) as StrandWindow,
    follow: (input, { onData, onError, onComplete }) =>
      api.events.strand.subscribe(input, {
        onData: (value) => onData(value as StrandEvent | Tracked<StrandEvent>),
        onError,
        onComplete,
      }),
  };
}

export function createWorldSource(api: Api): WorldSource {
  return {
    follow: ({ onData, onError, onComplete }) =>
      api.events.all.subscribe(undefined, {
        onData: (event) => onData(event as GlobalEvent),
        onError,
        onComplete,
      }),
  };
}
