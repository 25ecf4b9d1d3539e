/**
 * Call ids on the wire. Agents reuse ids and choose odd letters; providers refuse both. An id keeps its
 * name where it can, and a result belongs to the newest open call of its id.
 */
export interface CallNames {
  open(): readonly string[];
  /** The id to send for a new call. */
  add(call: string, tool: string): string;
  /** Null when no such call is open. */
  close(call: string): { readonly id: string; readonly name: string } | null;
}

export const createCallNames = (): CallNames => {
  const used = new Set<string>();
  const open = new Map<string, { id: string; name: string }>();
  return {
    open: () => [...open.keys()],
    add(call, tool) {
      const id = freeName(call.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 50) || 'call', used);
      used.add(id);
      open.set(call, { id, name: safeToolName(tool) });
      return id;
    },
    close(call) {
      const wire = open.get(call) ?? null;
      open.delete(call);
      return wire;
    },
  };
};

/** `wanted`, or `wanted_2`, `wanted_3`… */
export const freeName = (wanted: string, used: ReadonlySet<string>): string => {
  let name = wanted;
  for (let n = 2; used.has(name); n += 1) name = `${wanted}_${n}`;
  return name;
};

/** A tool of another agent may have any name. */
export const safeToolName = (name: string): string =>
  name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool';
