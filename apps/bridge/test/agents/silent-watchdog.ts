/** A watchdog for tests that knows every group and ends none, as if it had been killed with its host. */
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`ok ${line.split('\t')[1]}\n`);
}
