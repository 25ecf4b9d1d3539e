/** Permission bits merge like content: a side that did not change them gives way; two different changes are a conflict. */
export const mergeModes = (base: number, ours: number, theirs: number): number | 'conflict' => {
  if (ours === theirs || theirs === base) return ours;
  return ours === base ? theirs : 'conflict';
};
