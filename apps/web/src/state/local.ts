/** What only this browser remembers: the key, panel sizes, what was seen. Never the only copy of anything. */

export interface LocalStore {
  read(name: string): string | null;
  write(name: string, value: string | null): void;
}

/** `localStorage`, or the memory of this window where the browser forbids it. */
export function createLocalStore(storage: () => Storage): LocalStore {
  const memory = new Map<string, string>();
  const attempt = <T>(action: (real: Storage) => T, instead: T): T => {
    try {
      return action(storage());
    } catch (error) {
      if (error instanceof DOMException || error instanceof ReferenceError) return instead;
      throw error;
    }
  };
  return {
    read: (name) => attempt((real) => real.getItem(`skein.${name}`), memory.get(name) ?? null),
    write: (name, value) => {
      if (value === null) memory.delete(name);
      else memory.set(name, value);
      attempt((real) => {
        if (value === null) real.removeItem(`skein.${name}`);
        else real.setItem(`skein.${name}`, value);
      }, undefined);
    },
  };
}

/** JSON that a person may have edited: anything unexpected reads as null. */
export function readJson(local: LocalStore, name: string): unknown {
  const text = local.read(name);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
