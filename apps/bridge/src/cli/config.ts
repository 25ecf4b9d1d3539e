/** `skein config`: reads and writes the personal settings. */

import type { PersonalConfig, SettingsPatch } from '@skein/core/config/personal';
import { BridgeError } from '@skein/core/protocol/errors';
import type { Command } from 'commander';
import { type Cli, type RunCommand, withClient } from './cli.ts';
import { parseSetting, readSetting, SETTING_NAMES, unsetPatch } from './config-value.ts';
import { usageError } from './failure.ts';
import { examples } from './help.ts';
import { block, line } from './printable.ts';

export const addConfig = (program: Command, run: RunCommand): void => {
  const config = program
    .command('config')
    .description('read and change your settings; keys are set in the page only');
  config
    .command('get')
    .description('print one setting, or all of them')
    .argument('[key]', `one of ${SETTING_NAMES.join(', ')}, or a part such as limits.steps`)
    .addHelpText(
      'after',
      examples('skein config get', 'skein config get mode', 'skein config get limits.steps --json'),
    )
    .action((key: string | undefined) => run((cli) => get(cli, key)));
  config
    .command('set')
    .description('change one setting')
    .argument('<key>', 'its name, or a part such as limits.steps')
    .argument('<value>', 'a word, a number or JSON')
    .addHelpText(
      'after',
      examples(
        'skein config set mode edits',
        'skein config set limits.steps 80',
        `skein config set editor '["code","-g","{path}:{line}"]'`,
      ),
    )
    .action((key: string, value: string) => run((cli) => set(cli, key, value)));
  config
    .command('unset')
    .description('take one setting out of the file, so that its default holds again')
    .argument('<key>', 'its name, or a part such as limits.steps')
    .addHelpText('after', examples('skein config unset model', 'skein config unset limits.steps'))
    .action((key: string) => run((cli) => unset(cli, key)));
};

const get = async (cli: Cli, key: string | undefined): Promise<number> => {
  const { config, problems, configFile } = await withClient(cli, (client) => client.settings.get.query());
  const value = key === undefined ? config : readSetting(config, mustBeKnown(key));
  print(cli, value ?? null);
  for (const problem of problems) cli.out.note(cli.out.noteStyle.yellow(line`${configFile}: ${problem}`));
  return 0;
};

const set = async (cli: Cli, key: string, text: string): Promise<number> => {
  const value = await withClient(cli, async (client) => {
    const { config } = await client.settings.get.query();
    const patch = patchOf(config, mustBeKnown(key), text);
    return readSetting((await client.settings.set.mutate({ patch })).config, key);
  });
  print(cli, value ?? null);
  return 0;
};

const unset = async (cli: Cli, key: string): Promise<number> => {
  await withClient(cli, async (client) => {
    const { config } = await client.settings.get.query();
    await client.settings.set.mutate({ patch: unsetPatch(config, mustBeKnown(key)) });
  });
  if (cli.out.json) cli.out.value(null);
  else cli.out.print(line`${key} is not set any more.`);
  return 0;
};

const print = ({ out }: Cli, value: unknown): void => {
  if (out.json) out.value(value);
  else out.print(block(typeof value === 'string' ? value : JSON.stringify(value, null, 2)));
};

const mustBeKnown = (key: string): string => {
  const [name = ''] = key.split('.');
  if (SETTING_NAMES.includes(name)) return key;
  throw new BridgeError('not_found', `There is no setting ${name}; there are ${SETTING_NAMES.join(', ')}.`, {
    data: { key },
  });
};

const patchOf = (config: PersonalConfig, key: string, text: string): SettingsPatch => {
  const parsed = parseSetting(config, key, text);
  if (parsed.kind === 'ok') return parsed.patch;
  // The value itself is not said again: people try to set keys here.
  throw usageError(`${key} cannot be that: ${parsed.problem}`, { key });
};
