/** What `skein undo` and `skein redo` share: the call, the JSON and the words about it. */
import { exitCodeOf } from '@skein/core/protocol/errors';
import type { RestoreResult } from '@skein/core/protocol/restore';
import { opIdSchema, recordIdSchema, type StrandId, type TurnId } from '@skein/core/record/ids';
import type { RestoreScope } from '@skein/core/record/schema';
import { type Cli, strandOf, withClient } from './cli.ts';
import type { ApiClient } from './deps.ts';
import { usageError } from './failure.ts';
import { printRestore } from './print-restore.ts';

export interface RestoreOptions {
  readonly scope?: RestoreScope;
  readonly turn?: string;
  readonly op?: string;
  readonly dryRun?: boolean;
  readonly plan?: string;
}

export const SCOPE_HELP = 'files: only files; chat: only the conversation; both (default)';

/** Exit code 3 when something stands in the way: then nothing at all was written. */
export const restoreCommand = async (
  cli: Cli,
  direction: 'undo' | 'redo',
  { selector, options }: { readonly selector: string | undefined; readonly options: RestoreOptions },
): Promise<number> => {
  const result = await withClient(cli, async (client) => {
    const { id: strand } = await strandOf(cli, client, selector);
    const turn = options.turn === undefined ? undefined : await turnOf(client, strand, options.turn);
    // One turn out of the middle of a conversation: its files only.
    const scope = options.scope ?? (turn === undefined ? 'both' : 'files');
    const request = { strand, direction, scope, turn, op: opOf(options.op) };
    return options.dryRun === true
      ? client.restore.preview.query(request)
      : client.restore.carryOut.mutate({ ...request, plan: options.plan });
  });
  if (cli.out.json) cli.out.value(result);
  else printRestore(cli.out, result, options.dryRun === true);
  return result.applied || (options.dryRun === true && result.conflicts.length === 0)
    ? 0
    : exitCodeOf(refusalOf(result));
};

const refusalOf = ({
  conflicts,
  direction,
}: RestoreResult): 'conflict' | 'nothing_to_undo' | 'nothing_to_redo' => {
  if (conflicts.length > 0) return 'conflict';
  return direction === 'redo' ? 'nothing_to_redo' : 'nothing_to_undo';
};

/** `T`: the number of a turn on the path, or the id of its prompt. */
const turnOf = async (client: ApiClient, strand: StrandId, text: string): Promise<TurnId> => {
  const { turns } = await client.strands.show.query({ strand, context: false });
  const found = turns.find(({ number, turn }) => String(number) === text || turn === text);
  if (found !== undefined) return found.turn;
  const id = recordIdSchema.safeParse(text);
  // A turn off the path is left to the bridge, which knows the whole tree.
  if (id.success) return id.data;
  throw usageError(`There is no turn ${text}; this session has ${turns.length}.`, { turns: turns.length });
};

const opOf = (text: string | undefined): ReturnType<typeof opIdSchema.parse> | undefined => {
  if (text === undefined) return undefined;
  const id = opIdSchema.safeParse(text);
  if (!id.success)
    throw usageError(`${text} is not the id of an operation; "skein undo --json" tells it as "op".`);
  return id.data;
};
