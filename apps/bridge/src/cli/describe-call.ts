/** A tool call in one line: its name and what it works on. */

/** Inputs of other people's tools have any shape; the first of these that is there says most. */
const TELLING = ['path', 'file_path', 'command', 'pattern', 'query', 'url', 'prompt', 'description'] as const;

export const describeCall = (name: string, input: unknown): string => {
  const target = targetOf(input);
  return target === '' ? name : `${name} ${target}`;
};

const targetOf = (input: unknown): string => {
  if (typeof input !== 'object' || input === null) return typeof input === 'string' ? input : '';
  const fields = new Map(Object.entries(input));
  for (const key of TELLING) {
    const value: unknown = fields.get(key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return fields.size === 0 ? '' : JSON.stringify(input);
};
