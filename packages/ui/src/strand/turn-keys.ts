/** J and K go turn by turn, Enter unfolds the turn that has the focus. Never while typing. */
import type { KeyboardEvent, RefObject } from 'react';

export interface TurnKeysOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Index of the first row in sight: where the first J starts. */
  readonly first: number;
  readonly show: (index: number) => void;
}

export const turnKeys =
  ({ scroller, count, first, show }: TurnKeysOptions) =>
  (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    const target = event.target as HTMLElement;
    if (target.closest('input, textarea, select, [contenteditable]') !== null) return;
    const row = target.closest<HTMLElement>('[data-index]');
    if (event.key === 'Enter' && row !== null && row === target) {
      event.preventDefault();
      toggleFolds(row);
      return;
    }
    const step = { j: 1, k: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const from = row === null ? first - (step === 1 ? 1 : 0) : Number(row.dataset['index']);
    const next = Math.min(count - 1, Math.max(0, from + step));
    show(next);
    focusRow(scroller, next, 10);
  };

/** Opens what is folded in a row, or folds all when everything is open. */
function toggleFolds(row: HTMLElement): void {
  const buttons = [...row.querySelectorAll<HTMLButtonElement>('button[data-fold]')];
  const closed = buttons.filter((button) => button.getAttribute('aria-expanded') === 'false');
  for (const button of closed.length > 0 ? closed : buttons) button.click();
}

/** The row may not exist before the list has scrolled to it. */
function focusRow(scroller: RefObject<HTMLElement | null>, index: number, tries: number): void {
  requestAnimationFrame(() => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    if (row !== null && row !== undefined) row.focus({ preventScroll: true });
    else if (tries > 0) focusRow(scroller, index, tries - 1);
  });
}
