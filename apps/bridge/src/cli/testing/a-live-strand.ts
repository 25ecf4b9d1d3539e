/** A session that a test lets grow while the CLI follows it: flows of `strands`, `turns` and `events` on records in memory. */

import type { GlobalEvent, StrandEvent } from '@skein/core/protocol/events';
import type { PromptInput } from '@skein/core/protocol/turns';
import type { TurnId } from '@skein/core/record/ids';
import { windowItemOf } from '@skein/core/strand/window-item';
import { aStrand, type StrandBuilder } from '@skein/core/testing/a-strand';
import type { LiveEvent } from '@skein/core/turn/agent-event';
import { aSummary } from './a-summary.ts';
import type { SomeFlows } from './run-in-test.ts';

export interface LiveStrand {
  readonly flows: SomeFlows;
  readonly strand: StrandBuilder;
  readonly prompts: readonly PromptInput[];
  /** Publishes whatever the builder has and readers have not. */
  grow(): void;
  live(event: LiveEvent): void;
  /** Ends every stream at this point with a cursor that does not fit, as a replaced file would. */
  resync(): void;
  global(event: GlobalEvent): void;
}

type Play = (live: LiveStrand, input: PromptInput) => void | Promise<void>;

export const aLiveStrand = (play: Play, more: SomeFlows = {}): LiveStrand => {
  const strand = aStrand();
  const prompts: PromptInput[] = [];
  const strandReaders = new Set<(event: { cursor: string | null; event: StrandEvent }) => void>();
  const globalReaders = new Set<(event: GlobalEvent) => void>();
  let told = strand.lines().length;
  const items = () => strand.lines().map((line) => windowItemOf(line, 100));
  const cursorAt = (seq: number): string => `${seq}:${strand.records()[seq - 1]?.id ?? '-'}`;
  const window = async () => ({
    items: items(),
    before: null,
    cursor: cursorAt(strand.lines().length),
    tip: strand.lastId(),
    summary: aSummary(),
  });
  const tell = (cursor: string | null, event: StrandEvent): void => {
    for (const reader of strandReaders) reader({ cursor, event });
  };
  const grow = (): void => {
    for (const item of items().slice(told)) tell(cursorAt(item.seq), { type: 'record', item });
    told = strand.lines().length;
  };
  const live: LiveStrand = {
    strand,
    prompts,
    grow,
    live: (event) => tell(null, { type: 'live', turn: strand.promptId(), event }),
    resync: () => {
      told = strand.lines().length;
      tell(null, { type: 'resync', reason: 'the file was replaced' });
    },
    global: (event) => {
      for (const reader of globalReaders) reader(event);
    },
    flows: {
      ...more,
      settings: {
        get: async () => ({ config: {}, problems: [], configFile: '', dataDir: '', providers: [] }),
        ...more.settings,
      },
      strands: { create: async () => aSummary(), resolve: async () => aSummary(), window, ...more.strands },
      turns: {
        prompt: async (input) => {
          prompts.push(input);
          strand.prompt(input.text);
          const turn: TurnId = strand.promptId();
          queueMicrotask(() => {
            grow();
            void play(live, input);
          });
          return { kind: 'started', turn };
        },
        ...more.turns,
      },
      events: {
        strand: async function* ({ after }, signal) {
          const seq = Number(after?.split(':')[0] ?? 0);
          for (const item of items().slice(seq, told))
            yield { cursor: cursorAt(item.seq), event: { type: 'record', item } };
          const stream = queueOf(strandReaders, signal);
          yield { cursor: null, event: { type: 'caught_up' } };
          for await (const next of stream) {
            yield next;
            if (next.event.type === 'resync') return;
          }
        },
        all: (signal) => queueOf(globalReaders, signal),
      },
    },
  };
  return live;
};

/** Subscribes at once, not at the first read. */
function queueOf<T>(readers: Set<(value: T) => void>, signal: AbortSignal): AsyncIterable<T> {
  const waiting: T[] = [];
  let wake = (): void => undefined;
  const push = (value: T): void => {
    waiting.push(value);
    wake();
  };
  readers.add(push);
  signal.addEventListener('abort', () => wake(), { once: true });
  return (async function* () {
    while (!signal.aborted) {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) yield next;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0 || signal.aborted) resolve();
      });
    }
    readers.delete(push);
  })();
}
