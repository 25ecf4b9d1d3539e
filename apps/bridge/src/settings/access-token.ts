/** The bridge token: 32 random bytes in `token`, 0600, kept until rotated. */
import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { makePrivateDir, readFileIfThere, writeFileAtomic } from '../platform/files.ts';
import { createPrivateFile, tightenFile } from '../platform/secret-files.ts';

const TOKEN = /^[\w-]{43}$/;

/** The token as it is, null when there is none or it is no token. For a client of a running bridge. */
export const readToken = async (runtimeDir: string): Promise<string | null> => {
  const bytes = await readFileIfThere(join(runtimeDir, 'token'));
  const text = bytes === null ? '' : new TextDecoder().decode(bytes).trim();
  return TOKEN.test(text) ? text : null;
};

/** Makes one when there is none. One that other users could read, or that is torn, is replaced: it may be known. */
export const openToken = async (runtimeDir: string, newSecret: () => string): Promise<string> => {
  const path = join(runtimeDir, 'token');
  await makePrivateDir(runtimeDir);
  if (await createPrivateFile(path, `${newSecret()}\n`)) return mustRead(runtimeDir);
  if ((await tightenFile(path)) || (await readToken(runtimeDir)) === null)
    await rotateToken(runtimeDir, newSecret);
  return mustRead(runtimeDir);
};

/** A running bridge knows the new token after its next start. */
export const rotateToken = async (runtimeDir: string, newSecret: () => string): Promise<void> => {
  await makePrivateDir(runtimeDir);
  await writeFileAtomic(join(runtimeDir, 'token'), `${newSecret()}\n`);
};

const mustRead = async (runtimeDir: string): Promise<string> => {
  const token = await readToken(runtimeDir);
  if (token === null) throw new BridgeError('io', `The token file cannot be read back: ${runtimeDir}`);
  return token;
};
