/**
 * Entry of the watchdog process, one per bridge or CLI; build.mjs bundles it to dist/watchdog.js. It has a
 * session of its own, so that neither Ctrl-C nor the end of its host's group reaches it.
 */
import { runWatchdog } from '../platform/process-group-watchdog.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
await runWatchdog({ input: process.stdin, output: process.stdout, graceMs: 2000 });
process.exit(0);
