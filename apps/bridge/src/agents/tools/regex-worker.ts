/**
 * Runs the model's regular expression line by line in a thread of its own: one that runs away is ended with
 * its thread (TRAPS T17). Never searches files itself. `regex-search.ts` is the only one to start it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { LineMatch, SearchPattern, SearchRequest } from './regex-search.ts';

const { source, flags } = workerData as SearchPattern;
const pattern = new RegExp(source, flags);

parentPort?.on('message', ({ text, limit }: SearchRequest) => {
  const found: LineMatch[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (found.length >= limit) break;
    if (pattern.test(line)) found.push({ line: index + 1, text: line });
  }
  parentPort?.postMessage(found);
});
