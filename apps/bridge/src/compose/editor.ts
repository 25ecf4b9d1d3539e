/** Finds and starts the user's editor. */
import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import type { Parts } from './parts.ts';

/** Editors with a window of their own; one that runs in a terminal could not be shown from here. */
const KNOWN: readonly (readonly string[])[] = [
  ['code', '--goto', '{path}:{line}:{column}'],
  ['cursor', '--goto', '{path}:{line}:{column}'],
  ['codium', '--goto', '{path}:{line}:{column}'],
  ['zed', '{path}:{line}'],
  ['subl', '{path}:{line}'],
  ['idea', '--line', '{line}', '{path}'],
];

/** The configured command, else VISUAL or EDITOR, else the first known one on PATH. */
export const findEditor = async (parts: Parts): Promise<readonly string[] | null> => {
  const { config } = await parts.settings.config();
  if (config.editor !== undefined) return config.editor;
  const fromEnvironment = parts.environment.editor?.split(/\s+/).filter(Boolean);
  if (fromEnvironment !== undefined && fromEnvironment.length > 0) return fromEnvironment;
  for (const command of KNOWN)
    if ((await findProgram(command[0] ?? '', parts.environment.path)) !== null) return command;
  return null;
};

export const findProgram = async (name: string, path: string | undefined): Promise<string | null> => {
  const places = isAbsolute(name)
    ? [name]
    : (path ?? '')
        .split(delimiter)
        .filter(isAbsolute)
        .map((dir) => join(dir, name));
  for (const place of places) {
    const found = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return place;
  }
  return null;
};

/** Starts it apart from the bridge and does not wait for it. Fault `missing_program`. */
export const launchEditor = async (
  parts: Parts,
  [name = '', ...args]: readonly string[],
  cwd: string,
): Promise<void> => {
  const program = await findProgram(name, parts.environment.path);
  if (program === null)
    throw new BridgeError('missing_program', `The editor ${name} was not found; change it in the settings.`, {
      data: { program: name },
    });
  const child = spawn(program, args, {
    cwd,
    detached: true,
    stdio: 'ignore',
    env: { ...parts.environment.inherited },
  });
  child.on('error', (error) => parts.announcements.fault(null, error));
  child.unref();
};
