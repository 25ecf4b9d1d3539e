/**
 * Ids for what other tools wrote. The same thing has the same id in every file that holds it, so that a fork, a copy or
 * a later stage of a session is counted once.
 */
import type { RecordId, StrandId } from '../record/ids.ts';

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Two lanes of 32 bits each, mixed as in cyrb53 but kept whole. Not for secrets: an id, never a proof. */
export const hash64 = (text: string): readonly [number, number] => {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a >>> 0, b >>> 0];
};

/** 12 characters of [0-9a-z]. `key`: the tool's own id, or what stands for one. */
export const recordIdOf = (agent: string, key: string): RecordId => {
  let [high, low] = hash64(`${agent}\n${key}`);
  let id = '';
  for (let digit = 0; digit < 12; digit += 1) {
    const rest = (high % 36) * 0x1_0000_0000 + low;
    high = Math.floor(high / 36);
    low = Math.floor(rest / 36);
    id = (DIGITS[rest % 36] ?? '0') + id;
  }
  return id as RecordId;
};

/** 12 lower-case hex characters: one file is one session, whatever its tool calls it. */
export const strandIdOf = (agent: string, path: string): StrandId => {
  const [high, low] = hash64(`${agent}\n${path}`);
  return (hex8(high).slice(4) + hex8(low)) as StrandId;
};

const hex8 = (value: number): string => value.toString(16).padStart(8, '0');
