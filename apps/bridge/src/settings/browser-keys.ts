/**
 * Keys of browsers: `state/browser-keys.json` holds only their hashes. A key lives until it is revoked, across
 * restarts. `lastUsedAt` is exact in memory and saved with the next change and on close, so that a read writes nothing.
 */
import { z } from 'zod';
import { sha256Hex } from './secrets.ts';
import { openStateFile } from './state-file.ts';

const storedKeySchema = z.object({
  id: z.string(),
  label: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.string(),
  lastUsedAt: z.string(),
});
export type StoredKey = z.infer<typeof storedKeySchema>;
const fileSchema = z.object({ v: z.literal(1), keys: z.array(storedKeySchema) });

/** More browsers than a person has; the one unused for longest goes first. */
const MAX_KEYS = 200;

export interface BrowserKeys {
  /** Durable when it resolves. The key itself is told once and kept nowhere. */
  issue(label: string): Promise<{ readonly id: string; readonly key: string }>;
  /** The id of a key, null when unknown. Notes the use. */
  find(key: string): string | null;
  list(): readonly Omit<StoredKey, 'sha256'>[];
  /** False when there is no such key. In force at once, also when saving fails (then it rejects with `io`). */
  revoke(id: string): Promise<boolean>;
  onRevoked(listener: (keyId: string) => void): () => void;
  close(): Promise<void>;
  readonly aside: string | null;
}

export const openBrowserKeys = async (options: {
  readonly path: string;
  readonly nowIso: () => string;
  readonly newSecret: () => string;
  readonly newName: () => string;
}): Promise<BrowserKeys> => {
  const { nowIso } = options;
  const file = await openStateFile({ ...options, schema: fileSchema, empty: { v: 1, keys: [] } });
  const keys = new Map(file.current().keys.map((key) => [key.sha256, key]));
  const listeners = new Set<(keyId: string) => void>();
  const save = (): Promise<unknown> => file.update(() => ({ v: 1, keys: [...keys.values()] }));
  const drop = (key: StoredKey): void => {
    keys.delete(key.sha256);
    for (const listener of listeners) listener(key.id);
  };

  return {
    aside: file.aside,
    async issue(label) {
      const key = options.newSecret();
      const at = nowIso();
      const stored: StoredKey = {
        id: options.newName(),
        label,
        sha256: sha256Hex(key),
        createdAt: at,
        lastUsedAt: at,
      };
      const oldest = keys.size >= MAX_KEYS ? leastUsed([...keys.values()]) : undefined;
      if (oldest !== undefined) drop(oldest);
      keys.set(stored.sha256, stored);
      try {
        await save();
      } catch (error) {
        keys.delete(stored.sha256);
        throw error;
      }
      return { id: stored.id, key };
    },
    find(key) {
      const stored = keys.get(sha256Hex(key));
      if (stored === undefined) return null;
      keys.set(stored.sha256, { ...stored, lastUsedAt: nowIso() });
      return stored.id;
    },
    list: () =>
      [...keys.values()].map(({ id, label, createdAt, lastUsedAt }) => ({
        id,
        label,
        createdAt,
        lastUsedAt,
      })),
    async revoke(id) {
      const stored = [...keys.values()].find((key) => key.id === id);
      if (stored === undefined) return false;
      drop(stored);
      await save();
      return true;
    },
    onRevoked(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      const saved = new Map(file.current().keys.map((key) => [key.id, key.lastUsedAt]));
      if ([...keys.values()].some((key) => saved.get(key.id) !== key.lastUsedAt)) await save();
    },
  };
};

const leastUsed = (keys: readonly StoredKey[]): StoredKey | undefined =>
  [...keys].sort((a, b) => a.lastUsedAt.localeCompare(b.lastUsedAt))[0];
