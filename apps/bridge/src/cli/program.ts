/** The commands of `skein`, in the order in which help lists them. */
import { Command } from 'commander';
import { addArchive } from './archive.ts';
import { addBlame } from './blame.ts';
import { addCat } from './cat.ts';
import type { RunCommand } from './cli.ts';
import { addCompletion } from './completion.ts';
import { addConfig } from './config.ts';
import { addContinue } from './continue.ts';
import { addDemo } from './demo.ts';
import type { CliDeps } from './deps.ts';
import { addDiff } from './diff.ts';
import { addDoctor } from './doctor.ts';
import { printFailure, usageSentence } from './failure.ts';
import { addLint } from './lint.ts';
import { addName } from './name.ts';
import { addOpen } from './open.ts';
import type { Output } from './output.ts';
import { block } from './printable.ts';
import { addRedo } from './redo.ts';
import { addRun } from './run.ts';
import { addSearch } from './search.ts';
import { addSessions } from './sessions.ts';
import { addShow } from './show.ts';
import { addStop } from './stop.ts';
import { addStore } from './store.ts';
import { addStrands } from './strands.ts';
import { addUndo } from './undo.ts';
import { addUp } from './up.ts';
import { addVault } from './vault.ts';

const COMMANDS: readonly ((program: Command, run: RunCommand) => void)[] = [
  addUp,
  addOpen,
  addStop,
  addRun,
  addStrands,
  addShow,
  addDiff,
  addUndo,
  addRedo,
  addCat,
  addBlame,
  addSearch,
  addName,
  addArchive,
  addLint,
  addSessions,
  addContinue,
  addVault,
  addStore,
  addConfig,
  addDoctor,
  addDemo,
];

/** `out` gets the sentence of a usage error and the usage after it; in `--json` run-cli answers it instead. */
export const createProgram = (deps: CliDeps, out: Output, run: RunCommand): Command => {
  const program = new Command('skein')
    .description('A local-first workbench for people who work with coding agents.')
    .version(deps.version, '-V, --version', 'print the version')
    .option('--json', 'print exactly one JSON value on stdout')
    .helpOption('-h, --help', 'show help')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => deps.stdout.write(text),
      writeErr: (text) => (out.json ? undefined : out.note(block(text.trimEnd()))),
      outputError: (text) => (out.json ? undefined : printFailure(out, usageSentence(text.trimEnd()))),
      getOutHelpWidth: () => deps.env.columns ?? 100,
      getOutHasColors: () => false,
    })
    .exitOverride()
    .addHelpText('after', HELP_END);
  for (const add of COMMANDS) add(program, run);
  addCompletion(program, run);
  const names = program.commands.map((command) => command.name()).join(', ');
  program.showHelpAfterError(`${usageOf(program)}\nCommands: ${names}.`);
  for (const command of program.commands) inheritSettings(command, program);
  return program;
};

/** `skein` alone, or with options of `up` only, is `skein up`. */
export const withDefaultCommand = (argv: readonly string[]): readonly string[] => {
  const isOwn = argv.some((word) => ['-h', '--help', '-V', '--version'].includes(word));
  const hasCommand = argv.some((word, index) => !word.startsWith('-') && argv[index - 1] !== '--port');
  return isOwn || hasCommand ? argv : ['up', ...argv];
};

const inheritSettings = (command: Command, parent: Command): void => {
  command.copyInheritedSettings(parent).showHelpAfterError(usageOf(command));
  for (const child of command.commands) inheritSettings(child, command);
};

const usageOf = (command: Command): string => {
  const usage = command.createHelp().commandUsage(command);
  return `Usage: ${usage}\nSee "${pathOf(command)} --help".`;
};

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

const HELP_END = `
S names a session: its name, its id or the start of it, or "latest". Without S: the session this
terminal was last in, else the newest of this folder.

Exit codes: 0 done, 1 failed, 2 usage, 3 conflict or refusal, 4 busy, 5 permission needed or denied,
6 limit reached, 7 incompatible versions, 130 interrupted.

Examples:
  skein                          start the bridge and open the page
  skein run "fix the test"       one turn in a new session, streamed
  skein run -c "and document it" one more turn in the same session
  skein undo                     take the newest turn back
`;
