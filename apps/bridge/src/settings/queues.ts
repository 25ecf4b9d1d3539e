/**
 * Prompts that wait, per strand in `state/queues/<strand>.json`: they survive a restart. An entry leaves the file only
 * after the caller said so, in the order the user sees.
 */
import { join } from 'node:path';
import { type PromptToQueue, type QueuedPrompt, queuedPromptSchema } from '@skein/core/protocol/turns';
import { type StrandId, strandIdSchema } from '@skein/core/record/ids';
import { z } from 'zod';
import { namesEndingIn, removeIfThere } from '../platform/secret-files.ts';
import { openStateFile, type StateFile } from './state-file.ts';

const fileSchema = z.object({ v: z.literal(1), queue: z.array(queuedPromptSchema) });
type QueueFile = z.infer<typeof fileSchema>;

export interface QueueStore {
  list(strand: StrandId): Promise<readonly QueuedPrompt[]>;
  /** Only strands that have one. */
  all(): Promise<Readonly<Record<string, readonly QueuedPrompt[]>>>;
  /** Durable when it resolves; fault `io`. */
  add(strand: StrandId, prompt: PromptToQueue): Promise<QueuedPrompt>;
  /** `null` removes it; an unknown id changes nothing. Returns what waits then. */
  edit(strand: StrandId, id: string, text: string | null): Promise<readonly QueuedPrompt[]>;
  /** The first entry, left where it is: remove it once its prompt is durable elsewhere. */
  first(strand: StrandId): Promise<QueuedPrompt | null>;
  /** Removes the first entry and returns it. */
  takeNext(strand: StrandId): Promise<QueuedPrompt | null>;
  /** Back to the front, as when its turn could not start. */
  putBack(strand: StrandId, prompt: QueuedPrompt): Promise<void>;
  /** Files that could not be read on opening, under their new names. */
  readonly aside: readonly string[];
}

export const openQueues = async (options: {
  /** `state/queues` */
  readonly dir: string;
  readonly nowIso: () => string;
  readonly newName: () => string;
}): Promise<QueueStore> => {
  const files = new Map<StrandId, Promise<StateFile<QueueFile>>>();
  const pathOf = (strand: StrandId): string => join(options.dir, `${strand}.json`);
  const open = (strand: StrandId): Promise<StateFile<QueueFile>> => {
    const known = files.get(strand);
    if (known !== undefined) return known;
    const empty: QueueFile = { v: 1, queue: [] };
    const file = openStateFile({ path: pathOf(strand), schema: fileSchema, empty, nowIso: options.nowIso });
    files.set(strand, file);
    // A fault that has passed must not lock the queue until the next start.
    file.catch(() => files.delete(strand));
    return file;
  };
  const update = async (
    strand: StrandId,
    edit: (queue: readonly QueuedPrompt[]) => readonly QueuedPrompt[],
  ): Promise<readonly QueuedPrompt[]> => {
    const file = await open(strand);
    const next = await file.update((current) => {
      const queue = edit(current.queue);
      return queue === current.queue ? current : { v: 1, queue: [...queue] };
    });
    return next.queue;
  };

  const aside: string[] = [];
  for (const name of await namesEndingIn(options.dir, '.json')) {
    const id = strandIdSchema.safeParse(name);
    if (!id.success) continue;
    const file = await open(id.data);
    if (file.aside !== null) aside.push(file.aside);
    else if (file.current().queue.length === 0) {
      files.delete(id.data);
      await removeIfThere(pathOf(id.data));
    }
  }

  const list = async (strand: StrandId): Promise<readonly QueuedPrompt[]> =>
    (await open(strand)).current().queue;
  return {
    aside,
    list,
    async all() {
      const entries = await Promise.all([...files.keys()].map(async (id) => [id, await list(id)] as const));
      return Object.fromEntries(entries.filter(([, queue]) => queue.length > 0));
    },
    async add(strand, { text, kind, images = [], mentions = [] }) {
      const at = options.nowIso();
      const prompt: QueuedPrompt = { id: options.newName(), text, kind, at, images, mentions };
      await update(strand, (queue) => [...queue, prompt]);
      return prompt;
    },
    edit: (strand, id, text) =>
      update(strand, (queue) => {
        if (!queue.some((prompt) => prompt.id === id)) return queue;
        if (text === null) return queue.filter((prompt) => prompt.id !== id);
        return queue.map((prompt) => (prompt.id === id ? { ...prompt, text } : prompt));
      }),
    first: async (strand) => (await list(strand))[0] ?? null,
    async takeNext(strand) {
      let taken: QueuedPrompt | null = null;
      await update(strand, (queue) => {
        taken = queue[0] ?? null;
        return taken === null ? queue : queue.slice(1);
      });
      return taken;
    },
    async putBack(strand, prompt) {
      await update(strand, (queue) => [prompt, ...queue.filter((other) => other.id !== prompt.id)]);
    },
  };
};
