/**
 * The watchdog's whole work. It reads lines from its host (`add PGID START MARK`, `end PGID`, tabs between), answers
 * `ok PGID`, and when the pipe ends, however the host died, ends every group that is still registered:
 * TERM, then KILL. It has no other input and no output of its own.
 */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { endGroups, type GroupEntry } from './process-group-members.ts';

/** Resolves when the host is gone and its groups are too. */
export const runWatchdog = async (pipes: {
  readonly input: Readable;
  readonly output: Writable;
  readonly graceMs: number;
}): Promise<void> => {
  const groups = new Map<number, GroupEntry>();
  // The host may be dead before it read the answer; what counts is the end of the input.
  pipes.output.on('error', () => undefined);
  try {
    for await (const line of createInterface({ input: pipes.input })) {
      const [verb, pgid, start, mark = ''] = line.split('\t');
      const group = Number(pgid);
      if (!Number.isSafeInteger(group) || group <= 1) continue;
      if (verb === 'add') groups.set(group, { pgid: group, start: start || null, mark });
      if (verb === 'end') groups.delete(group);
      pipes.output.write(`ok ${group}\n`);
    }
  } finally {
    await endGroups([...groups.values()], pipes.graceMs);
  }
};
