/**
 * Provider keys in `credentials.json`, 0600, by provider id. Read for agents, never answered by the API. Each read goes
 * to the file, because another process may have changed it.
 */

import { BridgeError } from '@skein/core/protocol/errors';
import { z } from 'zod';
import { readJsonIfThere, updateJsonFile } from '../platform/json-files.ts';
import { tightenFile } from '../platform/secret-files.ts';

const keysSchema = z.record(z.string(), z.string());

export interface Credentials {
  getKey(provider: string): Promise<string | null>;
  /** `null` removes it. Durable when it resolves. */
  setKey(provider: string, key: string | null): Promise<void>;
  providers(): Promise<readonly string[]>;
  /** All keys, for the redactor of logs and exports. */
  secrets(): Promise<readonly string[]>;
}

export const createCredentials = (path: string): Credentials => {
  const parse = (raw: unknown): Readonly<Record<string, string>> => {
    const parsed = keysSchema.safeParse(keysOf(raw));
    if (parsed.success) return parsed.data;
    // The cause is left out: a schema's words may quote the file.
    throw new BridgeError(
      'unreadable',
      `This file must map providers to keys; repair or remove it: ${path}`,
      {
        data: { path },
      },
    );
  };
  const read = async (): Promise<Readonly<Record<string, string>>> => {
    await tightenFile(path);
    return parse((await readJsonIfThere(path)) ?? {});
  };
  return {
    getKey: async (provider) => ownValue(await read(), provider) ?? null,
    setKey: async (provider, key) => {
      await updateJsonFile(path, (current) => {
        const { [provider]: _old, ...others } = parse(current);
        return { ...current, v: 1, keys: key === null ? others : { ...others, [provider]: key.trim() } };
      });
    },
    providers: async () => Object.keys(await read()),
    secrets: async () => Object.values(await read()),
  };
};

const keysOf = (raw: unknown): unknown =>
  typeof raw === 'object' && raw !== null && 'keys' in raw ? raw.keys : {};

const ownValue = (keys: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(keys, name) ? keys[name] : undefined;
