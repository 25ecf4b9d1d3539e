/** Values out of JSON that somebody else wrote: what is not of the expected type is not there. */
import type { JsonObject } from '../record/json-line.ts';

export type { JsonObject } from '../record/json-line.ts';

export const objectOf = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;

/** Lone surrogates become U+FFFD. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? (value.isWellFormed() ? value : value.toWellFormed()) : null;

export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** A count of something: what is negative or no number counts nothing. */
export const countOf = (value: unknown): number => Math.max(0, numberOf(value) ?? 0);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const objectsOf = (value: unknown): readonly JsonObject[] =>
  listOf(value).flatMap((item) => {
    const object = objectOf(item);
    return object === null ? [] : [object];
  });

/** A text, or the texts of a list of blocks, joined by newlines; null when there is none. */
export const joinedText = (value: unknown): string | null => {
  const plain = textOf(value);
  if (plain !== null) return plain;
  const texts = objectsOf(value).flatMap((block) => textOf(block['text']) ?? []);
  return texts.length === 0 ? null : texts.join('\n');
};

/** What a tool gave back, in words: its text, else the JSON of it. */
export const shownText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return joinedText(value) ?? JSON.stringify(value);
};
