import { useEffect, useState } from 'react';

const WINDOW = 40;

/**
 * Which items of a long turn are drawn: the last ones, and what the reader asked for. While it grows, rows
 * are folded away only when the reader follows the end, so that nothing vanishes under their eyes.
 */
export const useItemWindow = (
  count: number,
  following: boolean,
): { readonly first: number; readonly showEarlier: () => void } => {
  const [first, setFirst] = useState(() => Math.max(0, count > WINDOW + 10 ? count - WINDOW : 0));
  const [asked, setAsked] = useState(false);
  const isLong = count - first > 2 * WINDOW;
  useEffect(() => {
    if (isLong && following && !asked) setFirst(count - WINDOW);
  }, [isLong, following, asked, count]);
  const showEarlier = (): void => {
    setAsked(true);
    setFirst(Math.max(0, first - 2 * WINDOW));
  };
  return { first: Math.min(first, count), showEarlier };
};
