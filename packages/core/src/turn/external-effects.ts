/**
 * What a turn did outside its folder that no undo takes back, in honest sentences: what may have happened, from the
 * calls that ran. Commands are read roughly (shell-words.ts); what a program does by itself nobody can tell from its name.
 */
import { oneLine, truncate } from '../text/truncate.ts';
import { visibleMarks } from '../text/visible-marks.ts';
import type { AgentEvent } from './agent-event.ts';
import { type ExternalKind, externalKind, isRemote } from './external-rules.ts';
import { type SimpleCommand, simpleCommands } from './shell-words.ts';

export interface RanCall {
  readonly name: string;
  readonly input: unknown;
}

export interface Place {
  /** Absolute; what lies below can be undone. */
  readonly root: string;
  /** Absolute; where commands begin. */
  readonly cwd: string;
}

const MAX_EFFECTS = 20;
const MAX_COMMAND_CHARS = 80;

/** In the order of the calls, each sentence once; the last one counts what did not fit. */
export const externalEffects = (calls: readonly RanCall[], place: Place): readonly string[] => {
  const all = [...new Set(calls.flatMap((call) => effectsOf(call, place)))];
  if (all.length <= MAX_EFFECTS) return all;
  const more = all.length - MAX_EFFECTS + 1;
  return [...all.slice(0, MAX_EFFECTS - 1), `${more} more commands had effects that are not undone.`];
};

/** Calls that ran, from what an agent tells; a call that was denied never starts. */
export interface CallLog {
  readonly told: ReadonlyMap<string, RanCall>;
  readonly ran: ReadonlyMap<string, RanCall>;
}

export const noCalls: CallLog = { told: new Map(), ran: new Map() };

export const noteCall = (log: CallLog, event: AgentEvent): CallLog => {
  if (event.type === 'tool_call') {
    const call = { name: event.name, input: event.input };
    return { ...log, told: new Map(log.told).set(event.call, call) };
  }
  const isStart = event.type === 'tool_start';
  // Not every agent says when a tool starts, but all say how it ended.
  const isResult = event.type === 'tool_result' && event.status !== 'denied';
  const call = isStart || isResult ? log.told.get(event.call) : undefined;
  if (call === undefined || (isResult && log.ran.has(event.call))) return log;
  return isStart || isResult ? { ...log, ran: new Map(log.ran).set(event.call, call) } : log;
};

function effectsOf({ name, input }: RanCall, place: Place): readonly string[] {
  const command = commandIn(input);
  if (command !== null) return commandEffects(command, place);
  if (!name.startsWith('mcp__')) return [];
  return [`Called \`${shown(name)}\` of an MCP server: what it did there is not undone.`];
}

function commandIn(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('command' in input)) return null;
  const { command } = input;
  if (typeof command === 'string') return command;
  if (!Array.isArray(command) || !command.every((word) => typeof word === 'string')) return null;
  // `["bash", "-c", "…"]` and the like: words, which a shell would not split again.
  return command
    .map((word) => (/^[\w./:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

function commandEffects(text: string, { root, cwd }: Place): readonly string[] {
  const effects: string[] = [];
  let here = cwd;
  for (const command of simpleCommands(text)) {
    const [program = '', ...args] = withoutWrappers(command.words);
    if (program === 'cd' || program === 'pushd') here = resolve(args[0] ?? '~', here);
    effects.push(...effectsOfOne(command, { program, args, place: { root, cwd: here } }));
  }
  return effects;
}

interface Ran {
  readonly program: string;
  readonly args: readonly string[];
  readonly place: Place;
}

function effectsOfOne(command: SimpleCommand, ran: Ran): readonly string[] {
  const script = SHELLS.has(ran.program) ? scriptIn(ran.args) : null;
  if (script !== null) return commandEffects(script, ran.place);
  const kind = externalKind(ran.program, ran.args);
  if (kind !== null) return [`Ran \`${shown(command.text)}\`: ${CONSEQUENCE[kind]}`];
  return reachesOut(ran, command.writes) ? [outside(command)] : [];
}

const CONSEQUENCE: Readonly<Record<ExternalKind, string>> = {
  packages: "packages may have been installed outside this folder's undo.",
  network: 'what it did over the network is not undone.',
  history: "the repository's history is not undone.",
  database: 'what it changed in a database is not undone.',
  services: 'what it changed in containers, clusters or services is not undone.',
};

const outside = ({ text }: SimpleCommand): string =>
  `Ran \`${shown(text)}\`: what it changed outside this folder is not undone.`;

/** On one line, nothing hidden in it, no mark that ends the quotation. */
const shown = (text: string): string =>
  truncate(oneLine(visibleMarks(text)).replaceAll('`', "'"), MAX_COMMAND_CHARS);

const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash', '/bin/bash', '/bin/sh']);

function scriptIn(args: readonly string[]): string | null {
  const at = args.findIndex((word) => /^-[a-z]*c$/.test(word));
  return at < 0 ? null : (args[at + 1] ?? null);
}

const KEYWORDS: ReadonlySet<string> = new Set([
  'if',
  'then',
  'else',
  'elif',
  'do',
  'while',
  'until',
  '!',
  'time',
]);
/** With the options that take a word. */
const WRAPPERS: ReadonlyMap<string, RegExp> = new Map([
  ['sudo', /^-[ugpCh]$/],
  ['doas', /^-[uC]$/],
  ['env', /^-[uC]$/],
  ['nice', /^-n$/],
  ['nohup', /^$/],
  ['command', /^$/],
  ['exec', /^-a$/],
  ['xargs', /^-[IndPLEsa]$/],
  ['timeout', /^-[ks]$/],
  ['stdbuf', /^-[ioe]$/],
]);

/** The program that really runs, and its words. */
function withoutWrappers(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined) return words;
  if (/^[A-Za-z_]\w*\+?=/.test(first) || KEYWORDS.has(first)) return withoutWrappers(rest);
  const options = WRAPPERS.get(first);
  if (options === undefined) return words;
  let at = 0;
  while (rest[at]?.startsWith('-') === true) at += options.test(rest[at] ?? '') ? 2 : 1;
  return withoutWrappers(rest.slice(first === 'timeout' ? at + 1 : at));
}

/** They look and change nothing, wherever that is. */
const READERS: ReadonlySet<string> = new Set(
  'cat ls ll head tail less more grep egrep rg ag wc stat file du df which type test [ [[ diff cmp echo printf pwd tree realpath readlink basename dirname md5sum sha256sum source . export'.split(
    ' ',
  ),
);
const HARMLESS = /^\/(?:dev\/(?:null|zero|u?random|tty|std(?:in|out|err)|fd\/\d+)|proc\/)/;

function reachesOut({ program, args, place }: Ran, writes: readonly string[]): boolean {
  const isOut = (path: string): boolean =>
    !HARMLESS.test(path) && !isBelow(resolve(path, place.cwd), place.root);
  if (writes.some((path) => !path.includes('$(') && isOut(path))) return true;
  if (isReader(program, args)) return false;
  if (!isBelow(place.cwd, place.root)) return true;
  // Where `cd` leads is where the command is by now.
  return program !== 'cd' && program !== 'pushd' && args.flatMap(pathsIn).some(isOut);
}

function isReader(program: string, args: readonly string[]): boolean {
  if (program === 'find') return !args.some((word) => /^-(?:delete|exec|execdir|ok|fprint)/.test(word));
  if (program === 'sed') return !args.some((word) => /^(?:-\w*i|--in-place)/.test(word));
  return program === '' || READERS.has(program);
}

function pathsIn(word: string): readonly string[] {
  const value = /^-{1,2}[\w-]+=(.*)$/s.exec(word)?.[1] ?? word;
  const isPath = /^(?:\/|~(?:\/|$)|\$HOME\b|\$\{HOME\}|\.\.(?:\/|$))/.test(value) || value.includes('/../');
  return isPath && !isRemote(value) ? [value] : [];
}

/** `~` stands for a place that is never below a workspace, which is at most it. */
function resolve(path: string, from: string): string {
  if (path === '-' || /^(?:~|\$HOME\b|\$\{HOME\})/.test(path)) return '/~';
  const parts = path.startsWith('/') ? [] : from.split('/').filter(Boolean);
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}
