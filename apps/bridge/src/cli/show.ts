/** `skein show`: a session as it is now: its turns, or what the model would be given. */

import type { StrandState, StrandSummary, TurnSummary } from '@skein/core/protocol/strands';
import { contentHead, partSchema } from '@skein/core/record/parts';
import { showPath } from '@skein/core/record/path-ref';
import { oneLine } from '@skein/core/text/truncate';
import type { Command } from 'commander';
import { z } from 'zod';
import { type Cli, type RunCommand, strandOf, withClient } from './cli.ts';
import type { ApiClient } from './deps.ts';
import { describeCall, describeFailure } from './describe-call.ts';
import { examples } from './help.ts';
import type { Output } from './output.ts';
import { block, line, type Printable, words } from './printable.ts';
import { relativeTime } from './relative-time.ts';
import { cut } from './table.ts';
import { fileLine } from './turn-printer.ts';

type Shown = Awaited<ReturnType<ApiClient['strands']['show']['query']>>;

export const addShow = (program: Command, run: RunCommand): void => {
  program
    .command('show')
    .description('show a session: settings, messages and turns')
    .argument('[S]', 'the session')
    .option('--context', 'what the model would be given now')
    .addHelpText(
      'after',
      examples('skein show', 'skein show login --context', "skein show latest --json | jq '.turns[].files'"),
    )
    .action((selector: string | undefined, options: { context?: boolean }) =>
      run((cli) => show(cli, selector, options.context === true)),
    );
};

const show = async (cli: Cli, selector: string | undefined, context: boolean): Promise<number> => {
  const { summary, shown } = await withClient(cli, async (client) => {
    const strand = await strandOf(cli, client, selector);
    return { summary: strand, shown: await client.strands.show.query({ strand: strand.id, context }) };
  });
  if (cli.out.json) {
    cli.out.value(shown);
    return 0;
  }
  printHead(cli, summary, shown);
  printMessages(cli.out, shown);
  if (!context) printTurns(cli, shown.turns, summary.state);
  return 0;
};

const printHead = ({ out, deps }: Cli, summary: StrandSummary, shown: Shown): void => {
  const { style } = out;
  const title = summary.title === '' ? line`(no prompt yet)` : cut(summary.title, out.columns);
  out.print(style.bold(title));
  const name = summary.name === null ? line`` : line` · ${summary.name}`;
  out.print(
    line`${style.cyan(words(summary.id))}${name} · ${summary.agent} · ${summary.state} · ${relativeTime(summary.updatedAt, deps.nowMs())}`,
  );
  out.print(style.dim(line`${summary.cwd}`));
  const settings = Object.entries(shown.settings).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  if (settings.length > 0) out.print(style.dim(line`${settings.join(' · ')}`));
  if (shown.bad > 0)
    out.print(
      style.red(line`${shown.bad} line(s) cannot be read; see "skein lint ${summary.id.slice(0, 8)}".`),
    );
};

/** Path messages and context messages have these two in common. */
const messageSchema = z.object({ role: z.enum(['user', 'assistant', 'tool']), parts: z.array(z.unknown()) });

const printMessages = (out: Output, shown: Shown): void => {
  for (const value of shown.messages) {
    const message = messageSchema.safeParse(value);
    if (!message.success) continue;
    if (message.data.role === 'user') out.print(line``);
    for (const part of message.data.parts) {
      const text = partOf(part, message.data.role === 'user', out);
      if (text !== null) out.print(text);
    }
  }
};

const partOf = (value: unknown, isUser: boolean, out: Output): Printable | null => {
  const parsed = partSchema.safeParse(value);
  if (!parsed.success) return null;
  const part = parsed.data;
  const columns = out.columns - 4;
  switch (part.type) {
    case 'text':
      return isUser ? out.style.bold(quoted(contentHead(part.text))) : block(contentHead(part.text));
    case 'note':
    case 'thinking':
      return out.style.dim(line`(${part.type}) ${cut(oneLine(contentHead(part.text)), columns)}`);
    case 'image':
      return out.style.dim(line`[image ${part.name ?? part.mime}]`);
    case 'mention':
      return out.style.dim(line`@${showPath(part.path)}`);
    case 'tool_call':
      return out.style.dim(line`→ ${cut(describeCall(part.name, part.input), columns)}`);
    case 'tool_result':
      return part.status === 'ok' ? null : out.style.red(line`  ✗ ${cut(describeFailure(part), columns)}`);
  }
};

const quoted = (text: string): Printable => block(`> ${text.replaceAll('\n', '\n> ')}`);

const printTurns = ({ out, deps }: Cli, turns: readonly TurnSummary[], state: StrandState): void => {
  // A turn without an end runs, or its process is gone and the next opening closes it.
  const open = state === 'running' || state === 'waiting' ? state : 'interrupted';
  if (turns.length === 0) return;
  const { style } = out;
  out.print(line``);
  for (const { number, turn, prompt, at, outcome, undone, files } of turns) {
    const how = undone ? style.yellow(line`undone`) : words(outcome ?? open);
    out.print(
      line`${style.bold(line`turn ${number}`)} ${style.dim(words(turn))} ${how} · ${relativeTime(at, deps.nowMs())} · ${cut(oneLine(prompt), out.columns - 50)}`,
    );
    for (const file of files) out.print(style.dim(line`    ${fileLine(file)}`));
  }
};
