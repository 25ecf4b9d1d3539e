/** A host process for tests: runs one command and says when its output comes. Arguments: registry folder, command. */

import { readProcessIdentity } from '../../src/platform/host.ts';
import { openProcessHost } from '../../src/platform/process-group.ts';

const [registryDir = '', command = '', watchdog = 'with'] = process.argv.slice(2);
const script = watchdog === 'with' ? '../../src/watchdog/watchdog.ts' : './silent-watchdog.ts';
const host = openProcessHost({
  watchdogScript: new URL(script, import.meta.url).pathname,
  nodePath: process.execPath,
  registryDir,
  process: readProcessIdentity(),
  env: { PATH: process.env['PATH'] ?? '' },
  onFault: (fault) => process.stderr.write(`${String(fault)}\n`),
});
await host.shell({
  command,
  cwd: '/',
  timeoutMs: 600_000,
  signal: new AbortController().signal,
  onOutput: (text) => process.stdout.write(text),
  maxOutputBytes: 1000,
});
