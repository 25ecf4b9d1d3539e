/** `skein cat`: a file as it was at a record of a session. */

import { BridgeError } from '@skein/core/protocol/errors';
import { recordIdSchema } from '@skein/core/record/ids';
import type { Command } from 'commander';
import { type Cli, type RunCommand, strandOf, withClient } from './cli.ts';
import { usageError } from './failure.ts';
import { examples } from './help.ts';
import { line } from './printable.ts';
import { turnOf } from './turn-of.ts';

interface CatOptions {
  readonly strand?: string;
  readonly at: string;
}

export const addCat = (program: Command, run: RunCommand): void => {
  program
    .command('cat')
    .description('print a file as it was at a record of a session')
    .argument('<path>', 'relative to the workspace')
    .option('-s, --strand <S>', 'the session')
    .requiredOption('--at <record>', "a record's id; a turn's number or prompt stands for the turn's end")
    .addHelpText(
      'after',
      examples('skein cat src/api.ts --at 2', 'skein cat src/api.ts -s login --at 0k3v9s2m1xq7'),
    )
    .action((path: string, options: CatOptions) => run((cli) => cat(cli, path, options)));
};

const cat = async (cli: Cli, path: string, options: CatOptions): Promise<number> => {
  const found = await withClient(cli, async (client) => {
    const { id: strand } = await strandOf(cli, client, options.strand);
    const record = recordIdSchema.safeParse(options.at);
    const at = record.success ? record.data : await turnOf(client, strand, options.at);
    return { strand, at, ...(await client.restore.file.query({ strand, path, at })) };
  });
  if (cli.out.json) {
    cli.out.value(found);
    return 0;
  }
  if (found.type === 'absent')
    throw new BridgeError('not_found', `${path} did not exist then.`, { data: { path } });
  const bytes = Buffer.from(found.b64, 'base64');
  const isBinary = bytes.includes(0);
  if (isBinary && cli.deps.env.stdoutIsTty)
    throw usageError(`${path} is binary; send it to a file: skein cat … > file`);
  if (found.from === 'disk') cli.out.note(line`This session never changed it; this is what is there now.`);
  cli.out.bytes(bytes);
  return 0;
};
