/** `skein demo`: a small project in a temporary folder and a scripted agent at work in it. Needs no key. */

import { demoWelcome } from '@skein/core/demo/welcome';
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { StrandRecord } from '@skein/core/record/schema';
import type { Command } from 'commander';
import { type Cli, connectTo, type RunCommand, using } from './cli.ts';
import type { ApiClient, Connection, StartedBridge } from './deps.ts';
import { createTurnReader } from './follow-turn.ts';
import { examples } from './help.ts';
import { block, line } from './printable.ts';
import { type FeedEvent, followStrand, recordEvent } from './strand-feed.ts';
import { cut } from './table.ts';
import { createTurnPrinter, fileLine, type TurnPrinter } from './turn-printer.ts';
import { openPage } from './up.ts';

export const addDemo = (program: Command, run: RunCommand): void => {
  program
    .command('demo')
    .description('watch a scripted agent work on a small project; then undo what it did')
    .option('--no-open', 'in the terminal only')
    .addHelpText(
      'after',
      examples(
        'skein demo',
        'skein demo --no-open',
        'skein demo --json   # {"strand":"…","cwd":"…","turns":[…]}',
      ),
    )
    .action((options: { open: boolean }) => run((cli) => demo(cli, options.open)));
};

const demo = async (cli: Cli, wanted: boolean): Promise<number> => {
  const { out } = cli;
  out.print(block(demoWelcome));
  const isPage = wanted && !out.json;
  const { connection, started } = await connected(cli, isPage);
  const isWhole = await using(connection, (client) => play(cli, client, isPage));
  if (started === null && !isWhole)
    throw new BridgeError('interrupted', 'The demo was left before its end; "skein show" tells what it did.');
  if (started !== null) {
    out.note(line`The bridge keeps running for the page; Ctrl-C stops it.`);
    await started.done;
  }
  return 0;
};

/** With a page, a bridge must run; without one, the running bridge or this process will do. */
const connected = async (
  { deps }: Cli,
  isPage: boolean,
): Promise<{ connection: Connection; started: StartedBridge | null }> => {
  const running = await deps.findRunning();
  if (running !== null) return { connection: connectTo(running), started: null };
  if (!isPage) return { connection: await deps.openInProcess(), started: null };
  const started = await deps.startBridge({ port: undefined });
  const found = await deps.findRunning();
  return { connection: found === null ? await deps.openInProcess() : connectTo(found), started };
};

/** False when it was left early. */
const play = async (cli: Cli, client: ApiClient, isPage: boolean): Promise<boolean> => {
  const { out, deps } = cli;
  const { strand, cwd, prompts } = await client.demo.start.mutate();
  await deps.saveWaypoint(strand);
  out.note(out.noteStyle.dim(line`Folder: ${cwd}`));
  if (isPage) await openPage(cli, withStrand((await client.system.openingLink.mutate()).url, strand), true);
  const over = new AbortController();
  const release = deps.onInterrupt(() => over.abort());
  try {
    const turns = await watch(cli, client, { strand, count: prompts.length, signal: over.signal });
    if (turns.length < prompts.length) return false;
    if (out.json) out.value({ strand, cwd, turns });
    out.note(
      line`Now take it back, turn by turn: skein undo ${strand.slice(0, 8)}   and: skein redo ${strand.slice(0, 8)}`,
    );
    return true;
  } finally {
    release();
  }
};

interface Watching {
  readonly strand: StrandId;
  /** How many turns to wait for. */
  readonly count: number;
  readonly signal: AbortSignal;
}

/** Every turn since the start of the session. */
const watch = async (cli: Cli, client: ApiClient, { strand, count, signal }: Watching): Promise<TurnId[]> => {
  const printer = createTurnPrinter(cli.out);
  const reader = createTurnReader({ client, printer }, strand);
  const turns: TurnId[] = [];
  for await (const event of fromStart(client, strand, signal)) {
    if (event.type === 'live') printer.live(event.event);
    if (event.type !== 'record') continue;
    printPrompt(cli, printer, event.record);
    const { record } = event;
    if (record.kind === 'turn') {
      turns.push(record.prompt);
      for (const file of record.files) cli.out.note(cli.out.noteStyle.dim(line`  ${fileLine(file)}`));
      if (turns.length === count) break;
    } else if (record.kind === 'message') await reader.take(record, record.id);
  }
  printer.rest();
  return turns;
};

async function* fromStart(
  client: ApiClient,
  strand: StrandId,
  signal: AbortSignal,
): AsyncGenerator<FeedEvent> {
  const window = await client.strands.window.query({ strand, turns: 500 });
  for (const item of window.items) {
    const event = recordEvent(item);
    if (event !== null) yield event;
  }
  yield* followStrand(client, { strand, after: window.cursor }, signal);
}

/** The prompt is a script; its first line says in words what the turn is about. */
const printPrompt = ({ out }: Cli, printer: TurnPrinter, record: StrandRecord): void => {
  if (record.kind !== 'message' || record.role !== 'user') return;
  const text = record.parts.find((part) => part.type === 'text')?.text;
  const [first = ''] = typeof text === 'string' ? text.split('\n') : [];
  printer.rest();
  out.note(out.noteStyle.cyan(line`\n❯ ${cut(first, out.columns - 4)}`));
};

/** The page opens on that session; ids travel in the query, the code stays in the fragment. */
const withStrand = (link: string, strand: StrandId): string => {
  const url = new URL(link);
  url.searchParams.set('s', strand);
  return url.href;
};
