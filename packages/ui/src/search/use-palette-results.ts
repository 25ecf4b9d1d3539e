/** What the palette shows for a query, in the order it is shown. */
import { useMemo } from 'react';
import { rank, searched } from './match.ts';
import { type PaletteCommand, type PaletteStrand, valueOfCommand, valueOfStrand } from './palette-rows.tsx';

const MAX_SHOWN = 50;
/** Commands that fit must not be far below. */
const MAX_BESIDE_COMMANDS = 20;
/** Before anything is typed, the commands must be in sight below the sessions. */
const RECENT_BESIDE_COMMANDS = 8;

export interface PaletteResults {
  readonly strands: readonly PaletteStrand[];
  /** How many sessions fit; more than are shown. */
  readonly total: number;
  readonly groups: readonly { readonly heading: string; readonly commands: readonly PaletteCommand[] }[];
  /** A command fits as well as the best session: there are few of them, so nothing is pushed out of sight. */
  readonly commandsFirst: boolean;
  /** The `value` of the first row, or an empty text. */
  readonly first: string;
}

export interface PaletteSource {
  readonly commands: readonly PaletteCommand[];
  readonly strands: readonly PaletteStrand[];
}

export const usePaletteResults = ({ commands, strands }: PaletteSource, query: string): PaletteResults => {
  const searchedStrands = useMemo(
    () => strands.map((item) => ({ item, text: searched(item.title, item.detail) })),
    [strands],
  );
  return useMemo(() => resultsOf(commands, searchedStrands, query), [commands, searchedStrands, query]);
};

export function resultsOf(
  commands: readonly PaletteCommand[],
  strands: Parameters<typeof rank<PaletteStrand>>[0],
  query: string,
): PaletteResults {
  const isTyped = query.trim() !== '';
  const fitting = rank(
    commands.map((item) => ({ item, text: searched(item.title, item.group) })),
    query,
    MAX_SHOWN,
  );
  const beside = isTyped ? MAX_BESIDE_COMMANDS : RECENT_BESIDE_COMMANDS;
  const found = rank(strands, query, fitting.total === 0 ? MAX_SHOWN : beside);
  const commandsFirst = isTyped && fitting.total > 0 && fitting.best >= found.best;
  const groups = isTyped ? oneGroup(fitting.items) : byGroup(fitting.items);
  const [strand] = found.items;
  const command = groups[0]?.commands[0];
  const rows = [
    ...(strand === undefined ? [] : [valueOfStrand(strand.id)]),
    ...(command === undefined ? [] : [valueOfCommand(command.id)]),
  ];
  const first = (commandsFirst ? rows.at(-1) : rows[0]) ?? '';
  return { strands: found.items, total: found.total, groups, commandsFirst, first };
}

function oneGroup(commands: readonly PaletteCommand[]): PaletteResults['groups'] {
  return commands.length === 0 ? [] : [{ heading: 'Commands', commands }];
}

function byGroup(commands: readonly PaletteCommand[]): PaletteResults['groups'] {
  return [...Map.groupBy(commands, ({ group }) => group)].map(([heading, list]) => ({
    heading,
    commands: list,
  }));
}
