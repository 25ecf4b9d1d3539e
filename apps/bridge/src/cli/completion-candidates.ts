/** What may follow on a command line, from the same tree of commands that parses it. */

import type { AgentInfo } from '@skein/core/protocol/agents';
import type { StoreUsage } from '@skein/core/protocol/store';
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { Command, Option } from 'commander';
import { SETTING_NAMES } from './config-value.ts';

export interface Candidate {
  readonly value: string;
  readonly about: string;
}

export interface Lookup {
  strands(): Promise<readonly Pick<StrandSummary, 'id' | 'name' | 'title'>[]>;
  agents(): Promise<readonly Pick<AgentInfo, 'name' | 'title'>[]>;
  stores(): Promise<readonly Pick<StoreUsage['stores'][number], 'key' | 'workspace'>[]>;
}

/** `words` are those after `skein`; the last one is the one being typed. An empty answer leaves file names to the shell. */
export const candidatesFor = async (
  program: Command,
  words: readonly string[],
  lookup: Lookup,
): Promise<readonly Candidate[]> => {
  const typed = words.at(-1) ?? '';
  const { command, operands, pending } = walk(program, words.slice(0, -1));
  const all = await candidates({ program, command, operands, pending, typed }, lookup);
  return all.filter(({ value }) => value.startsWith(typed));
};

interface Place {
  readonly program: Command;
  readonly command: Command;
  /** How many arguments the command has already. */
  readonly operands: number;
  /** The option whose value is being typed. */
  readonly pending: Option | null;
  readonly typed: string;
}

const walk = (
  program: Command,
  before: readonly string[],
): Pick<Place, 'command' | 'operands' | 'pending'> => {
  let command = program;
  let operands = 0;
  let pending: Option | null = null;
  for (const word of before) {
    if (pending !== null) {
      pending = null;
      continue;
    }
    if (word.startsWith('-')) {
      const option = optionsOf(program, command).find((known) => known.long === word || known.short === word);
      pending = option?.required === true ? option : null;
      continue;
    }
    const child = command.commands.find((known) => known.name() === word || known.aliases().includes(word));
    if (child === undefined) operands += 1;
    else command = child;
  }
  return { command, operands, pending };
};

const optionsOf = (program: Command, command: Command): readonly Option[] =>
  command === program ? program.options : [...command.options, ...program.options];

const candidates = async (place: Place, lookup: Lookup): Promise<readonly Candidate[]> => {
  const { program, command, operands, pending, typed } = place;
  if (pending !== null) return optionValues(pending, lookup);
  if (typed.startsWith('-'))
    return optionsOf(program, command).map(({ long, short, description }) => ({
      value: long ?? short ?? '',
      about: description,
    }));
  if (command.commands.length > 0)
    return command.commands.map((child) => ({ value: child.name(), about: child.description() }));
  const argument = command.registeredArguments[Math.min(operands, command.registeredArguments.length - 1)];
  if (argument === undefined) return [];
  if (argument.argChoices !== undefined) return argument.argChoices.map((value) => ({ value, about: '' }));
  if (argument.name() === 'S') return strandValues(lookup);
  return argument.name() === 'key' ? SETTING_NAMES.map((value) => ({ value, about: '' })) : [];
};

const optionValues = async (option: Option, lookup: Lookup): Promise<readonly Candidate[]> => {
  if (option.argChoices !== undefined) return option.argChoices.map((value) => ({ value, about: '' }));
  if (option.long === '--strand') return strandValues(lookup);
  if (option.long === '--workspace') return storeValues(lookup);
  if (option.long !== '--agent') return [];
  return (await lookup.agents()).map(({ name, title }) => ({ value: name, about: title }));
};

/** Names where there are any, else the id as it is shown. */
const strandValues = async (lookup: Lookup): Promise<readonly Candidate[]> => [
  { value: 'latest', about: 'the newest session' },
  ...(await lookup.strands()).map(({ id, name, title }) => ({ value: name ?? id.slice(0, 8), about: title })),
];

const storeValues = async (lookup: Lookup): Promise<readonly Candidate[]> =>
  (await lookup.stores()).map(({ key, workspace }) => ({ value: workspace ?? key, about: '' }));
