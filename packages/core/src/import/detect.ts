/** Whose file it is, by what it begins with. */
import type { ForeignAgent } from './reader.ts';
import { readers } from './readers.ts';

/** `head`: the first characters, 64 Ki at most. Null when no reader knows it. */
export const detectAgent = (head: string, path: string): ForeignAgent | null => {
  for (const [agent, reader] of readers) if (reader.accepts(head, path)) return agent;
  return null;
};
