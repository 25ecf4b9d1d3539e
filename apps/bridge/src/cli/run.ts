/** `skein run`: one turn, streamed to the terminal. */
import { resolve } from 'node:path';
import { permissionModeSchema } from '@skein/core/config/personal';
import type { StrandSummary } from '@skein/core/protocol/strands';
import { MAX_PROMPT_CHARS } from '@skein/core/protocol/turns';
import { type Command, Option } from 'commander';
import { answerPermissions } from './answer-permissions.ts';
import { type Cli, type RunCommand, strandOf, withClient } from './cli.ts';
import type { ApiClient } from './deps.ts';
import { failureOf, printFailure, usageError } from './failure.ts';
import { type FollowedTurn, followTurn } from './follow-turn.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';
import { turnEnd } from './turn-end.ts';
import { createTurnPrinter, fileLine } from './turn-printer.ts';

interface RunOptions {
  readonly continue?: boolean;
  readonly strand?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: 'ask' | 'edits' | 'plan' | 'auto';
  readonly cwd?: string;
}

export const addRun = (program: Command, run: RunCommand): void => {
  program
    .command('run')
    .description('run one turn and stream it; Ctrl-C interrupts the turn and keeps what it did')
    .argument('<prompt...>', 'what you want; "-" reads it from stdin')
    .option('-c, --continue', "go on in this terminal's session")
    .option('-s, --strand <S>', 'go on in that session')
    .option('--agent <name>', 'agent of a new session (see "skein config get agent")')
    .option('--model <model>', 'provider/model, from now on in this session')
    .addOption(new Option('--mode <mode>', 'what needs a permission').choices(permissionModeSchema.options))
    .option('--cwd <dir>', 'folder of a new session, instead of this one')
    .addHelpText(
      'after',
      examples(
        'skein run "why does the login test fail?"',
        'skein run -c "fix it"',
        'git diff | skein run --mode plan -',
        'skein run --agent script "write notes.md hello" --json',
      ),
    )
    .action((prompt: string[], options: RunOptions) => run((cli) => runTurn(cli, prompt.join(' '), options)));
};

const runTurn = async (cli: Cli, prompt: string, options: RunOptions): Promise<number> => {
  if (options.continue === true && options.strand !== undefined) throw usageError('Use -c or -s, not both.');
  const text = prompt === '-' ? await cli.deps.stdin.readAll() : prompt;
  if (text.trim() === '') throw usageError('A prompt needs words.');
  if (text.length > MAX_PROMPT_CHARS)
    throw usageError(`A prompt has at most ${MAX_PROMPT_CHARS} characters, and this one has ${text.length}.`);
  const interactive = cli.deps.env.stdinIsTty && prompt !== '-';
  return withClient(cli, async (client) => {
    const strand = await strandFor(cli, client, options);
    await cli.deps.saveWaypoint(strand.id);
    const followed = await attended(cli, client, { strand, text, interactive });
    return report(cli, strand, followed);
  });
};

/** An old session, with its settings changed where asked, or a new one. */
const strandFor = async (cli: Cli, client: ApiClient, options: RunOptions): Promise<StrandSummary> => {
  if (options.continue !== true && options.strand === undefined) return create(cli, client, options);
  const strand = await strandOf(cli, client, options.strand);
  if (options.agent !== undefined && options.agent !== strand.agent)
    throw usageError(`This session's agent is ${strand.agent}; start a new session for another.`);
  if (options.cwd !== undefined) throw usageError('A session keeps its folder; --cwd is for a new one.');
  for (const setting of ['model', 'mode'] as const) {
    const value = options[setting];
    if (value !== undefined) await client.strands.set.mutate({ strand: strand.id, setting, value });
  }
  return strand;
};

const create = async ({ deps }: Cli, client: ApiClient, options: RunOptions): Promise<StrandSummary> =>
  client.strands.create.mutate({
    cwd: resolve(deps.env.cwd, options.cwd ?? '.'),
    agent: options.agent ?? deps.env.agent ?? (await defaultAgent(client)),
    model: options.model,
    mode: options.mode,
  });

const defaultAgent = async (client: ApiClient): Promise<string> =>
  (await client.settings.get.query()).config.agent ?? 'loop';

interface Prompt {
  readonly strand: StrandSummary;
  readonly text: string;
  readonly interactive: boolean;
}

/** With somebody to answer questions, and Ctrl-C bound to the turn: the second one leaves it alone. */
const attended = async (cli: Cli, client: ApiClient, prompt: Prompt): Promise<FollowedTurn> => {
  const { strand, text, interactive } = prompt;
  const printer = createTurnPrinter(cli.out);
  const over = new AbortController();
  let interrupting: Promise<void> | null = null;
  const release = cli.deps.onInterrupt(() => {
    if (interrupting !== null) return over.abort();
    printer.rest();
    cli.out.note(line`Interrupting the turn; once more to leave at once.`);
    interrupting = interrupt(cli, client, { strand: strand.id, signal: over.signal });
  });
  const answering = interactive
    ? answerPermissions(
        cli,
        { client, strand: strand.id, printer, isInterrupted: () => interrupting !== null },
        over.signal,
      )
    : Promise.resolve();
  const by = interactive ? 'user' : 'script';
  const following = followTurn(
    { client, printer, signal: over.signal },
    { strand: strand.id, text, by, interactive },
  ).finally(() => over.abort());
  try {
    const [followed] = await Promise.all([following, answering]);
    await interrupting;
    return followed;
  } finally {
    over.abort();
    release();
    printer.rest();
  }
};

/** Never rejects. Once the turn is over or left, nobody waits for the answer: the open call would keep us alive. */
const interrupt = async (
  cli: Cli,
  client: ApiClient,
  { strand, signal }: { readonly strand: StrandSummary['id']; readonly signal: AbortSignal },
): Promise<void> => {
  try {
    await client.turns.interrupt.mutate({ strand }, { signal });
  } catch (error) {
    if (!signal.aborted) printFailure(cli.out, failureOf(error).message);
  }
};

const report = (
  { out, deps }: Cli,
  strand: StrandSummary,
  { turn, text, denied, end }: FollowedTurn,
): number => {
  const { files, coverage, outcome: stop } = end;
  const { code, error } = turnEnd(end, denied);
  if (out.json) {
    const shown = files.map(({ path, status, added, removed }) => ({ path, status, added, removed }));
    const failure = error === null ? {} : { error };
    out.value({ strand: strand.id, turn, stop, text, files: shown, coverage, denied, ...failure });
    return code;
  }
  for (const file of files) out.note(out.noteStyle.dim(line`  ${fileLine(file)}`));
  if (coverage.level !== 'full' && files.length > 0)
    out.note(out.noteStyle.dim(line`  undo is ${coverage.level}: ${coverage.reasons.join('; ')}`));
  if (error !== null) printFailure(out, error.message);
  const hint = deps.env.stderrIsTty ? ' · go on: skein run -c "…" · take back: skein undo' : '';
  out.note(out.noteStyle.dim(line`session ${strand.id.slice(0, 8)}${hint}`));
  return code;
};
