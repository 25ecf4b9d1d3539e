/** The entry of `skein`, bridge and CLI alike: reads the environment once, wires, runs one command. */
import { runCli } from './cli/run-cli.ts';
import { cliDepsOf } from './compose/cli-deps.ts';
import { placeOf } from './compose/place.ts';
import { readProcessEnvironment } from './config.ts';

process.exitCode = await runCli(await cliDepsOf(readProcessEnvironment(), placeOf(import.meta.url)));
