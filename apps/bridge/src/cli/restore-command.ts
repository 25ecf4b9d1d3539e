/** What `skein undo` and `skein redo` share: the call, the JSON and the words about it. */
import { exitCodeOf } from '@skein/core/protocol/errors';
import {
  type ConflictChoice,
  conflictChoiceSchema,
  type RestoreRequest,
  type RestoreResult,
} from '@skein/core/protocol/restore';
import { opIdSchema } from '@skein/core/record/ids';
import { type RestoreScope, restoreScopeSchema } from '@skein/core/record/schema';
import { type Command, Option } from 'commander';
import { type Cli, strandOf, withClient } from './cli.ts';
import type { ApiClient } from './deps.ts';
import { usageError } from './failure.ts';
import { printRestore } from './print-restore.ts';
import { turnOf } from './turn-of.ts';

export interface RestoreOptions {
  readonly scope?: RestoreScope;
  readonly turn?: string;
  readonly to?: string;
  readonly op?: string;
  readonly path?: readonly string[];
  readonly hunk?: readonly string[];
  readonly choose?: readonly string[];
  readonly dryRun?: boolean;
  readonly plan?: string;
}

/** Options that both commands take. */
export const addRestoreOptions = (command: Command): Command =>
  command
    .addOption(new Option('--scope <scope>', SCOPE_HELP).choices(restoreScopeSchema.options))
    .option('--path <path>', 'only this file, or all below this folder (may be repeated)', collect)
    .option('--hunk <id>', 'only this hunk of a dry run (may be repeated)', collect)
    .option('--choose <path=choice>', 'in a conflict: mine, before or markers (may be repeated)', collect)
    .option('--dry-run', 'show what would happen')
    .option('--plan <hash>', 'only if it is still what a dry run showed');

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];

const SCOPE_HELP = 'files: only files; chat: only the conversation; both (default)';

/** Exit code 3 when something stands in the way: then nothing at all was written. */
export const restoreCommand = async (
  cli: Cli,
  direction: 'undo' | 'redo',
  { selector, options }: { readonly selector: string | undefined; readonly options: RestoreOptions },
): Promise<number> => {
  const result = await withClient(cli, async (client) => {
    const { id: strand } = await strandOf(cli, client, selector);
    const request = await requestOf(client, { strand, direction }, options);
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

const requestOf = async (
  client: ApiClient,
  { strand, direction }: Pick<RestoreRequest, 'strand'> & { readonly direction: 'undo' | 'redo' },
  options: RestoreOptions,
): Promise<RestoreRequest> => {
  const turnIn = async (text: string | undefined) =>
    text === undefined ? undefined : await turnOf(client, strand, text);
  const [turn, to] = [await turnIn(options.turn), await turnIn(options.to)];
  const { path: paths, hunk: hunks } = options;
  // A part of a conversation, or one turn out of its middle: files only.
  const isPart = (turn ?? to ?? paths ?? hunks) !== undefined;
  if (isPart && options.scope !== undefined && options.scope !== 'files')
    throw usageError('With --turn, --to, --path or --hunk only files are restored; leave --scope out.');
  return {
    ...{ strand, direction, turn, to, op: opOf(options.op) },
    scope: isPart ? 'files' : (options.scope ?? 'both'),
    paths: paths && [...paths],
    hunks: hunks && [...hunks],
    choices: options.choose?.map(choiceOf),
  };
};

/** `PATH=mine`; a path may hold `=` itself. */
const choiceOf = (text: string): { readonly path: string; readonly choice: ConflictChoice } => {
  const cut = text.lastIndexOf('=');
  const choice = conflictChoiceSchema.safeParse(text.slice(cut + 1));
  if (cut < 1 || !choice.success)
    throw usageError(`"${text}" is no choice: write PATH=mine, PATH=before or PATH=markers.`);
  return { path: text.slice(0, cut), choice: choice.data };
};

const refusalOf = ({
  conflicts,
  direction,
}: RestoreResult): 'conflict' | 'nothing_to_undo' | 'nothing_to_redo' => {
  if (conflicts.length > 0) return 'conflict';
  return direction === 'redo' ? 'nothing_to_redo' : 'nothing_to_undo';
};

const opOf = (text: string | undefined): ReturnType<typeof opIdSchema.parse> | undefined => {
  if (text === undefined) return undefined;
  const id = opIdSchema.safeParse(text);
  if (!id.success)
    throw usageError(`${text} is not the id of an operation; "skein undo --json" tells it as "op".`);
  return id.data;
};
