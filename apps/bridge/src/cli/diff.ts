/** `skein diff`: what a turn, or the whole session, changed. */
import type { TurnDiff } from '@skein/core/protocol/restore';
import { showPath } from '@skein/core/record/path-ref';
import type { Command } from 'commander';
import { createTwoFilesPatch } from 'diff';
import { type Cli, type RunCommand, strandOf, withClient } from './cli.ts';
import { examples } from './help.ts';
import type { Output } from './output.ts';
import { block, line, type Printable } from './printable.ts';
import { turnOf } from './turn-of.ts';

export const addDiff = (program: Command, run: RunCommand): void => {
  program
    .command('diff')
    .description('show what a turn changed, or the whole session')
    .argument('[S]', 'the session')
    .option('--turn <T>', 'one turn: its number or its id')
    .addHelpText('after', examples('skein diff', 'skein diff login --turn 2', 'skein diff --json'))
    .action((selector: string | undefined, options: { turn?: string }) =>
      run((cli) => diff(cli, selector, options.turn)),
    );
};

const diff = async (
  cli: Cli,
  selector: string | undefined,
  turnText: string | undefined,
): Promise<number> => {
  const { strand, turn, files } = await withClient(cli, async (client) => {
    const { id } = await strandOf(cli, client, selector);
    const asked = turnText === undefined ? undefined : await turnOf(client, id, turnText);
    return {
      strand: id,
      turn: asked ?? null,
      ...(await client.restore.diff.query({ strand: id, turn: asked })),
    };
  });
  if (cli.out.json) cli.out.value({ strand, turn, files });
  else if (files.length === 0) cli.out.note(line`No file was changed.`);
  for (const file of cli.out.json ? [] : files) printFile(cli.out, file);
  return 0;
};

type DiffFile = TurnDiff['files'][number];

const printFile = (out: Output, file: DiffFile): void => {
  const name = showPath(file.path);
  if (file.modeBefore !== null && file.modeAfter !== null && file.modeBefore !== file.modeAfter)
    out.print(out.style.bold(line`${name}: mode ${octal(file.modeBefore)} → ${octal(file.modeAfter)}`));
  if (file.binary) out.print(out.style.bold(line`${name}: binary, ${file.status}`));
  else if (file.before === null && file.after === null)
    out.print(out.style.bold(line`${name}: ${file.status}, too long to be shown`));
  else for (const text of patchOf(name, file)) out.print(coloured(out, text));
};

const patchOf = (name: string, { status, before, after }: DiffFile): readonly string[] => {
  const [from, to] = [
    status === 'added' ? '/dev/null' : `a/${name}`,
    status === 'deleted' ? '/dev/null' : `b/${name}`,
  ];
  const patch = createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, {
    context: 3,
  });
  return patch.split('\n').slice(1, -1);
};

const octal = (mode: number): string => mode.toString(8).padStart(3, '0');

const coloured = ({ style }: Output, text: string): Printable => {
  const piece = block(text);
  if (text.startsWith('+++') || text.startsWith('---')) return style.bold(piece);
  if (text.startsWith('+')) return style.green(piece);
  if (text.startsWith('-')) return style.red(piece);
  return text.startsWith('@@') ? style.cyan(piece) : piece;
};
