/** The real listener, router, keys and log over a temporary data directory, with flows that only answer. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appRouter } from '../../src/api/router.ts';
import { startListener } from '../../src/http/listener.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { newName, newSecret } from '../../src/platform/ids.ts';
import { openLog } from '../../src/platform/log.ts';
import { listWebFiles } from '../../src/platform/web-files.ts';
import { createAccess } from '../../src/settings/access.ts';
import { openBrowserKeys } from '../../src/settings/browser-keys.ts';
import { createOneTimeCodes } from '../../src/settings/one-time-codes.ts';
import { openRuntime } from '../../src/settings/runtime.ts';
import type { SecurityTarget } from './target.ts';
import { createTrivialFlows } from './trivial-flows.ts';

const PAGE =
  '<!doctype html><html><body><script>self.x=1</script><script src="/_next/static/a.js"></script></body></html>';

const writePage = async (webDir: string): Promise<void> => {
  await mkdir(join(webDir, '_next/static'), { recursive: true });
  await writeFile(join(webDir, 'index.html'), PAGE);
  await writeFile(join(webDir, '404.html'), '<!doctype html><title>Nothing here</title>');
  await writeFile(join(webDir, '_next/static/a.js'), `/* ${'a'.repeat(2000)} */`);
  await writeFile(join(webDir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
};

export const startListenerTarget = async (): Promise<SecurityTarget> => {
  const root = await mkdtemp(join(tmpdir(), 'skein-security-'));
  const dataDir = join(root, 'data');
  await writePage(join(root, 'web'));
  const { nowIso, nowMs } = systemClock;
  const runtime = await openRuntime({ dataDir, host: 'test-host', newSecret });
  const path = join(dataDir, 'state/browser-keys.json');
  const keys = await openBrowserKeys({ path, nowIso, newSecret, newName });
  const codes = createOneTimeCodes({ nowMs, newSecret });
  const log = openLog({ dir: join(dataDir, 'logs'), level: 'debug', nowIso, onFailure: () => undefined });
  const { flows, calls } = createTrivialFlows();
  const listener = await startListener({
    port: 0,
    web: await listWebFiles(join(root, 'web')),
    flows,
    access: createAccess({ token: runtime.token, keys, codes }),
    router: appRouter,
    clock: systemClock,
    log,
  });
  await runtime.announce({
    url: listener.url,
    pid: process.pid,
    version: '0.1.0',
    protocol: 1,
    startedAt: nowIso(),
  });
  return {
    url: listener.url,
    port: listener.port,
    token: runtime.token,
    dataDir,
    issueCode: async () => codes.issue(),
    revoke: keys.revoke,
    calls,
    async [Symbol.asyncDispose]() {
      await listener.close(200);
      await runtime.withdraw();
      await keys.close();
      await rm(root, { recursive: true, force: true });
    },
  };
};
