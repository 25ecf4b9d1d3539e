/**
 * `runtime/<scope>/`: how clients find the running bridge and prove who they are. The scope keeps machines and
 * containers that share a data directory apart; it is the same after a restart, so that the token stays.
 */
import { join } from 'node:path';
import { isBridgeError } from '@skein/core/protocol/errors';
import { z } from 'zod';
import { makePrivateDir, writeFileAtomic } from '../platform/files.ts';
import { readJsonIfThere } from '../platform/json-files.ts';
import { removeIfThere } from '../platform/secret-files.ts';
import { openToken, readToken } from './access-token.ts';
import { sha256Hex } from './secrets.ts';

export const bridgeFileSchema = z.object({
  url: z.url(),
  pid: z.number().int(),
  version: z.string(),
  protocol: z.number().int(),
  startedAt: z.string(),
});
export type BridgeFile = z.infer<typeof bridgeFileSchema>;

export interface Runtime {
  readonly dir: string;
  readonly token: string;
  /** Writes `bridge.json`, 0600, as a whole: clients find us from now on. */
  announce(bridge: BridgeFile): Promise<void>;
  /** Removes `bridge.json` when it is still the one we announced. */
  withdraw(): Promise<void>;
}

/** `host` as in `ProcessIdentity`. */
export const runtimeDirOf = (dataDir: string, host: string): string =>
  join(dataDir, 'runtime', sha256Hex(`skein-runtime:${host}`).slice(0, 16));

/** For the bridge itself: makes folder and token when they are missing. */
export const openRuntime = async (options: {
  readonly dataDir: string;
  readonly host: string;
  readonly newSecret: () => string;
}): Promise<Runtime> => {
  const dir = runtimeDirOf(options.dataDir, options.host);
  const token = await openToken(dir, options.newSecret);
  const path = join(dir, 'bridge.json');
  let announced: BridgeFile | null = null;
  return {
    dir,
    token,
    async announce(bridge) {
      await makePrivateDir(dir);
      await writeFileAtomic(path, `${JSON.stringify(bridge)}\n`);
      announced = bridge;
    },
    async withdraw() {
      const found = await readBridgeFile(dir);
      if (announced === null || found?.pid !== announced.pid || found.startedAt !== announced.startedAt)
        return;
      await removeIfThere(path);
      announced = null;
    },
  };
};

/** What a client needs to reach a running bridge; null when none says it runs. Writes nothing. */
export const findBridge = async (
  dataDir: string,
  host: string,
): Promise<{ readonly bridge: BridgeFile; readonly token: string } | null> => {
  const dir = runtimeDirOf(dataDir, host);
  const [bridge, token] = [await readBridgeFile(dir), await readToken(dir)];
  return bridge === null || token === null ? null : { bridge, token };
};

/** A file that does not fit is as good as none: the next start replaces it. */
const readBridgeFile = async (dir: string): Promise<BridgeFile | null> => {
  try {
    const parsed = bridgeFileSchema.safeParse(await readJsonIfThere(join(dir, 'bridge.json')));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (isBridgeError(error) && error.code === 'unreadable') return null;
    throw error;
  }
};
