/** The CLI: parses the arguments, runs one command, turns every fault into one sentence and an exit code. */

import { exitCodeOf } from '@skein/core/protocol/errors';
import { CommanderError } from 'commander';
import type { CliDeps } from './deps.ts';
import { failureOf } from './failure.ts';
import { createOutput } from './output.ts';
import { line } from './printable.ts';
import { createProgram, withDefaultCommand } from './program.ts';

/** Resolves with the exit code when everything was written; never rejects. */
export const runCli = async (deps: CliDeps): Promise<number> => {
  let code = 0;
  const isJson = wantsJson(deps.argv);
  const out = createOutput(deps, deps.env, isJson);
  const program = createProgram(deps, async (work) => {
    code = await work({ deps, out });
  });
  try {
    await program.parseAsync([...withDefaultCommand(deps.argv)], { from: 'user' });
    return code;
  } catch (error) {
    // Help and version are thrown too, after they were printed.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const failure = failureOf(error);
    if (failure.code === 'internal') deps.logFault(error);
    if (isJson) out.value({ error: failure });
    else out.note(line`${out.noteStyle.red(line`skein:`)} ${failure.message}`);
    if (error instanceof CommanderError && !isJson) out.note(line`See "skein --help".`);
    return exitCodeOf(failure.code);
  }
};

const wantsJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
};
