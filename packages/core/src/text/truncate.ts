/** Cutting text without cutting a character in two (TRAPS A39). */

/** At most `max` code points; the last one is `…` when something was cut. */
export const truncate = (text: string, max: number): string => {
  // A code point is one or two units, so a text this short needs no counting.
  if (text.length <= max) return text.toWellFormed();
  const points = [...text.slice(0, 2 * max + 2)];
  if (points.length <= max) return text.toWellFormed();
  return max < 1 ? '' : `${points.slice(0, max - 1).join('')}…`.toWellFormed();
};

/** Runs of white space and control characters become one space: for titles and list rows. */
export const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
