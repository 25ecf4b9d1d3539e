/** A whole bridge as its own process, from source, over a temporary data directory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readProcessIdentity } from '../../src/platform/host.ts';
import { readToken } from '../../src/settings/access-token.ts';
import { runtimeDirOf } from '../../src/settings/runtime.ts';
import type { SecurityTarget } from './target.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const lineSchema = z.object({ url: z.string(), pid: z.number() });
const linkSchema = z.object({ result: z.object({ data: z.object({ url: z.string() }) }) });
const revokedSchema = z.object({ result: z.object({ data: z.object({ revoked: z.boolean() }) }) });

export const startBridgeTarget = async (): Promise<SecurityTarget> => {
  const root = await mkdtemp(join(tmpdir(), 'skein-security-'));
  const dataDir = join(root, 'data');
  const child = spawn(process.execPath, [MAIN, 'up', '--no-open', '--port', '0', '--json'], {
    env: { ...process.env, SKEIN_DATA_DIR: dataDir, SKEIN_CONFIG_DIR: join(root, 'config'), HOME: root },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const line = await firstLine(child.stdout);
  const { url } = lineSchema.parse(JSON.parse(line));
  const token = await readToken(runtimeDirOf(dataDir, readProcessIdentity().host));
  if (token === null) throw new Error(`No token for this machine (${hostname()})`);

  const call = async (route: string, input: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/trpc/${route}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(input),
    });
    return answer.json();
  };
  return {
    url,
    port: Number(new URL(url).port),
    token,
    dataDir,
    async issueCode() {
      const link = linkSchema.parse(await call('system.openingLink', null)).result.data.url;
      return new URL(link).hash.slice('#code='.length);
    },
    revoke: async (id) => revokedSchema.parse(await call('settings.revokeKey', { id })).result.data.revoked,
    calls: () => null,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      await rm(root, { recursive: true, force: true });
    },
  };
};

const firstLine = async (output: NodeJS.ReadableStream): Promise<string> => {
  for await (const line of createInterface({ input: output })) return line;
  throw new Error('The bridge ended before it listened');
};
