/**
 * Stands in for zod in the built page (see next.config.ts). The modules of core that the page shares define
 * schemas beside their types and functions; the page never checks anything with them, since the bridge has,
 * and zod would be a quarter of the first load. Building a schema gives an inert value; using one throws.
 */

const USES = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'decode', 'encode']);

const schema: object = new Proxy(
  Object.assign(() => schema, {}),
  {
    apply: () => schema,
    get: (_target, name) => {
      if (typeof name === 'symbol') return undefined;
      if (USES.has(name)) throw new Error(`Schemas are not checked in the page (${name}).`);
      return schema;
    },
  },
);

export const z = schema;
