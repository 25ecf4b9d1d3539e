/**
 * A small JSON file under `state/` with one writer, the bridge. Edits run one after the other; the new value counts
 * once it is on disk. A file that does not fit is put aside, never overwritten: the caller is told its new name.
 */
import { dirname } from 'node:path';
import type { z } from 'zod';
import { makePrivateDir, readFileIfThere, writeFileAtomic } from '../platform/files.ts';
import { setAside } from '../platform/secret-files.ts';

export interface StateFile<T> {
  current(): T;
  /** Resolves with the new value when it is on disk; fault `io`, then the old one stays. */
  update(edit: (current: T) => T): Promise<T>;
  /** Where an unreadable file was put on opening. */
  readonly aside: string | null;
}

export const openStateFile = async <T>(options: {
  readonly path: string;
  readonly schema: z.ZodType<T>;
  readonly empty: T;
  readonly nowIso: () => string;
}): Promise<StateFile<T>> => {
  const { path, schema } = options;
  const bytes = await readFileIfThere(path);
  const found = bytes === null ? options.empty : parse(bytes, schema);
  const aside = found === null ? await setAside(path, options.nowIso()) : null;
  let value = found ?? options.empty;
  let tail: Promise<unknown> = Promise.resolve();

  const write = async (edit: (current: T) => T): Promise<T> => {
    const next = edit(value);
    if (next === value) return value;
    await makePrivateDir(dirname(path));
    await writeFileAtomic(path, `${JSON.stringify(next)}\n`);
    value = next;
    return next;
  };
  return {
    aside,
    current: () => value,
    update(edit) {
      const mine = tail.then(() => write(edit));
      // The next edit runs whether or not this one failed; its own caller learns of the failure.
      tail = mine.then(nothing, nothing);
      return mine;
    },
  };
};

const nothing = (): undefined => undefined;

const parse = <T>(bytes: Uint8Array, schema: z.ZodType<T>): T | null => {
  const parsed = schema.safeParse(jsonOrUndefined(bytes));
  return parsed.success ? parsed.data : null;
};

const jsonOrUndefined = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
