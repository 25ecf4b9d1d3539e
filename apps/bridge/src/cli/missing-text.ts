/** What is still to be printed of a message of which a part was printed already. */

/**
 * White space between blocks may differ between the live pieces and the message, so it does not count. When
 * the pieces do not fit (one was lost), the whole message follows on a line of its own.
 */
export const missingText = (printed: string, whole: string): string => {
  if (whole.startsWith(printed)) return whole.slice(printed.length);
  let at = 0;
  for (const letter of printed) {
    if (isBlank(letter)) continue;
    while (at < whole.length && isBlank(whole.charAt(at))) at += 1;
    if (!whole.startsWith(letter, at)) return `\n${whole}`;
    at += letter.length;
  }
  const missing = whole.slice(at);
  return missing.trim() === '' ? '' : missing;
};

const isBlank = (letter: string): boolean => /^\s$/.test(letter);
