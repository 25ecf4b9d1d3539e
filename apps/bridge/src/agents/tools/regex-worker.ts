/**
 * Runs the model's regular expression line by line in a thread of its own: one that runs away is ended with
 * its thread (TRAPS T17). Never searches files itself.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const dataSchema = z.object({ source: z.string(), flags: z.string() });
const requestSchema = z.object({ text: z.string(), limit: z.number() });

const { source, flags } = dataSchema.parse(workerData);
const pattern = new RegExp(source, flags);

parentPort?.on('message', (message: unknown) => {
  const { text, limit } = requestSchema.parse(message);
  const found: { line: number; text: string }[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (found.length >= limit) break;
    if (pattern.test(line)) found.push({ line: index + 1, text: line });
  }
  parentPort?.postMessage(found);
});
