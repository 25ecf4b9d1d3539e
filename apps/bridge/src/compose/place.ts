/** Where this installation's own files lie: beside the bundle, or in the source tree during development. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Place {
  readonly watchdogScript: string;
  readonly webDir: string;
}

/** `entry` is the `import.meta.url` of main. */
export const placeOf = (entry: string): Place => {
  const here = dirname(fileURLToPath(entry));
  return entry.endsWith('.ts')
    ? { watchdogScript: join(here, 'watchdog', 'watchdog.ts'), webDir: join(here, '..', '..', 'web', 'out') }
    : { watchdogScript: join(here, 'watchdog.js'), webDir: join(here, 'web') };
};
