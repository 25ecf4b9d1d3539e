/** The CLI: parses the arguments, runs one command, turns every fault into one sentence and an exit code. */
import { exitCodeOf } from '@skein/core/protocol/errors';
import { CommanderError } from 'commander';
import type { CliDeps } from './deps.ts';
import { failureOf, printFailure } from './failure.ts';
import { createOutput } from './output.ts';
import { createProgram, withDefaultCommand } from './program.ts';

/** Resolves with the exit code when everything was written; never rejects. */
export const runCli = async (deps: CliDeps): Promise<number> => {
  let code = 0;
  const isJson = wantsJson(deps.argv);
  const out = createOutput(deps, deps.env, isJson);
  const program = createProgram(deps, out, async (work) => {
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
    // Commander has printed its own sentence, and the usage after it.
    else if (!(error instanceof CommanderError)) printFailure(out, failure.message);
    return exitCodeOf(failure.code);
  }
};

const wantsJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
};
