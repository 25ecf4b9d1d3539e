import { recordIdSchema, type StrandId, type TurnId } from '@skein/core/record/ids';
import type { ApiClient } from './deps.ts';
import { usageError } from './failure.ts';

/** `T`: the number of a turn on the path, or the id of its prompt. */
export const turnOf = async (client: ApiClient, strand: StrandId, text: string): Promise<TurnId> => {
  const { turns } = await client.strands.show.query({ strand, context: false });
  const found = turns.find(({ number, turn }) => String(number) === text || turn === text);
  if (found !== undefined) return found.turn;
  const id = recordIdSchema.safeParse(text);
  // A turn off the path is left to the bridge, which knows the whole tree.
  if (id.success) return id.data;
  throw usageError(`There is no turn ${text}; this session has ${turns.length}.`, { turns: turns.length });
};
