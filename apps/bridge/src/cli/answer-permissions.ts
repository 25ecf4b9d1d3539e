/** Asks the person at the terminal what the agent may do, one request after another. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PermissionRequest } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';
import { showPath } from '@skein/core/record/path-ref';
import type { Cli } from './cli.ts';
import type { ApiClient } from './deps.ts';
import { editPreview } from './edit-preview.ts';
import { block, line, words } from './printable.ts';
import { iterate } from './subscription.ts';
import type { TurnPrinter } from './turn-printer.ts';

const SHOWN_WAIT_MS = 1_000;

interface Answering {
  readonly client: ApiClient;
  readonly strand: StrandId;
  readonly printer: Pick<TurnPrinter, 'rest' | 'shown'>;
  /** The person pressed Ctrl-C: then no answer is an answer. */
  readonly isInterrupted: () => boolean;
}

/** Until `signal` aborts. A request that another window answers first is withdrawn here. */
export const answerPermissions = async (
  cli: Cli,
  answering: Answering,
  signal: AbortSignal,
): Promise<void> => {
  const { client, strand } = answering;
  const open = new Map<string, AbortController>();
  let last: Promise<void> = Promise.resolve();
  const queue = (request: PermissionRequest): void => {
    if (request.strand !== strand || open.has(request.id)) return;
    const closed = new AbortController();
    open.set(request.id, closed);
    last = last.then(() =>
      answer(cli, answering, { request, signal: AbortSignal.any([signal, closed.signal]) }),
    );
  };
  const events = iterate<Parameters<GlobalHandler>[0]>(
    (observer) => client.events.all.subscribe(undefined, observer),
    signal,
  );
  for await (const event of events) {
    if (event.type === 'snapshot') for (const request of event.snapshot.permissions) queue(request);
    if (event.type === 'permission') queue(event.request);
    if (event.type === 'permission_closed') open.get(event.id)?.abort();
  }
  await last;
};

type GlobalHandler = NonNullable<Parameters<ApiClient['events']['all']['subscribe']>[1]['onData']>;

const answer = async (
  { deps, out }: Cli,
  { client, strand, printer, isInterrupted }: Answering,
  { request, signal }: { readonly request: PermissionRequest; readonly signal: AbortSignal },
): Promise<void> => {
  // Requests travel on another stream than the call they are about; a sub-agent's call is never shown here.
  await Promise.race([printer.shown(request.call), sleep(SHOWN_WAIT_MS, undefined, { ref: false })]);
  if (signal.aborted) return;
  printer.rest();
  out.note(out.noteStyle.yellow(line`The agent asks: ${request.title}`));
  if (request.command !== null) out.note(block(indented(request.command)));
  if (request.edit !== null) {
    out.note(line`  ${showPath(request.edit.path)}`);
    for (const row of editPreview(request.edit, out)) out.note(row);
  }
  const always = request.rule === null ? '' : `, [a]lways (${request.rule})`;
  const typed = await deps.ask(words(`Allow it? [y]es, [n]o${always}: `).text, signal);
  if (signal.aborted || (typed === null && isInterrupted())) return;
  const decision = decisionOf(typed, request.rule !== null);
  const { accepted, saved } = await client.turns.decide.mutate({ id: request.id, strand, ...decision });
  if (!accepted) out.note(line`Somebody else answered first.`);
  else if (decision.decision === 'always' && !saved)
    out.note(line`The rule could not be saved; it holds for this session only.`);
};

type Decision = { readonly decision: 'allow' | 'always' | 'deny'; readonly reason?: string };

/** Anything but a clear yes is a no; what else was typed is told to the agent. */
export const decisionOf = (typed: string | null, canAlways: boolean): Decision => {
  const text = typed?.trim() ?? '';
  const word = text.toLowerCase();
  if (word === 'y' || word === 'yes') return { decision: 'allow' };
  if (canAlways && (word === 'a' || word === 'always')) return { decision: 'always' };
  if (word === '' || word === 'n' || word === 'no' || word === 'a' || word === 'always')
    return { decision: 'deny' };
  return { decision: 'deny', reason: text.slice(0, 4000) };
};

const indented = (text: string): string =>
  text
    .split('\n')
    .map((row) => `  ${row}`)
    .join('\n');
