/** Sends one prompt and follows its turn to the end, whatever happens to the connection on the way. */

import { BridgeError } from '@skein/core/protocol/errors';
import type { PromptInput } from '@skein/core/protocol/turns';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { decisionBodySchema, RecordOf } from '@skein/core/record/schema';
import type { z } from 'zod';
import type { ApiClient } from './deps.ts';
import { textOfParts } from './message-text.ts';
import { followStrand } from './strand-feed.ts';
import type { TurnPrinter } from './turn-printer.ts';

export type Denial = Pick<z.infer<typeof decisionBodySchema>, 'tool' | 'by' | 'reason'>;

export interface FollowedTurn {
  readonly turn: TurnId;
  /** Everything the agent said, its messages a blank line apart. */
  readonly text: string;
  /** Calls that were not allowed. */
  readonly denied: readonly Denial[];
  readonly end: RecordOf<'turn'>;
}

interface Following {
  readonly client: ApiClient;
  readonly printer: TurnPrinter;
  readonly signal: AbortSignal;
}

/** Faults: those of `turns.prompt`; `interrupted` when `signal` aborts first; `io` when the bridge is gone. */
export const followTurn = async (
  { client, printer, signal }: Following,
  prompt: Pick<PromptInput, 'strand' | 'text' | 'by' | 'interactive'>,
): Promise<FollowedTurn> => {
  const { cursor } = await client.strands.window.query({ strand: prompt.strand, turns: 1 });
  const reader = createTurnReader({ client, printer }, prompt.strand);
  let turn: TurnId | null = null;
  for await (const event of followStrand(client, { strand: prompt.strand, after: cursor }, signal)) {
    if (turn === null) {
      // Everything older is read; whatever follows from here on is kept until we look at it.
      if (event.type === 'caught_up') turn = await sent(client, prompt);
      continue;
    }
    if (event.type === 'live' && event.turn === turn) printer.live(event.event);
    const end = event.type === 'record' ? await reader.take(event.record, turn) : null;
    if (end === null) continue;
    printer.rest();
    return { turn, text: reader.text(), denied: reader.denied(), end };
  }
  throw new BridgeError('interrupted', 'The turn was left before its end; it goes on in the bridge.');
};

const sent = async (
  client: ApiClient,
  prompt: Pick<PromptInput, 'strand' | 'text' | 'by' | 'interactive'>,
): Promise<TurnId> => {
  const answer = await client.turns.prompt.mutate({ ...prompt, when: 'now' });
  if (answer.kind !== 'started') throw new BridgeError('busy', 'A turn is running in this session.');
  return answer.turn;
};

interface TurnReader {
  /** The turn's last record, when this is it. */
  take(record: Parameters<TurnPrinter['record']>[0], turn: TurnId): Promise<RecordOf<'turn'> | null>;
  text(): string;
  denied(): readonly Denial[];
}

export const createTurnReader = (
  { client, printer }: Pick<Following, 'client' | 'printer'>,
  strand: StrandId,
): TurnReader => {
  const texts: string[] = [];
  const denied: Denial[] = [];
  return {
    async take(record, turn) {
      switch (record.kind) {
        case 'message': {
          const text = record.role === 'assistant' ? await textOfParts(client, strand, record.parts) : '';
          if (text !== '') texts.push(text);
          printer.record(record, text);
          return null;
        }
        case 'decision':
          if (!record.allowed) denied.push({ tool: record.tool, by: record.by, reason: record.reason });
          return null;
        case 'turn':
          return record.prompt === turn ? record : null;
        default:
          return null;
      }
    },
    text: () => texts.join('\n\n'),
    denied: () => denied,
  };
};
