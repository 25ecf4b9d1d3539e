/** Which marked element is pointed at or has the focus, and where its tip goes. */
import { useEffect, useState } from 'react';

export interface ShownTip {
  readonly label: string;
  readonly shortcut: string | null;
  readonly target: HTMLElement;
}

const WAIT_MS = 450;
/** Going from one tip to the next needs no waiting. */
const WARM_MS = 300;
const GAP = 6;
const EDGE = 6;

export const useTip = (): {
  readonly tip: ShownTip | null;
  readonly place: (element: HTMLElement | null) => void;
} => {
  const [tip, setTip] = useState<ShownTip | null>(null);
  useEffect(() => watchTips(setTip), []);
  const place = (element: HTMLElement | null): void => {
    if (element !== null && tip !== null) placeBeside(element, tip.target.getBoundingClientRect());
  };
  return { tip, place };
};

function watchTips(show: (tip: ShownTip | null) => void): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let target: HTMLElement | null = null;
  let hiddenAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const hide = (): void => {
    clearTimeout(timer);
    target = null;
    if (!isShown) return;
    isShown = false;
    hiddenAt = performance.now();
    show(null);
  };
  const over = (event: Event): void => {
    const next = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null;
    if (next === target) return;
    hide();
    if (next === null || !isWanted(event, next)) return;
    target = next;
    const wait = performance.now() - hiddenAt < WARM_MS ? 0 : WAIT_MS;
    timer = setTimeout(() => {
      if (!next.isConnected) return;
      isShown = true;
      show({ label: next.dataset['tip'] ?? '', shortcut: next.dataset['tipKeys'] ?? null, target: next });
    }, wait);
  };
  const options = { capture: true, passive: true, signal: stop.signal };
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, over, options);
  for (const type of ['pointerdown', 'keydown', 'wheel', 'focusout'])
    document.addEventListener(type, hide, options);
  document.documentElement.addEventListener('pointerleave', hide, { signal: stop.signal });
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}

/** Not for touch, not for a focus that came from a click, not while the element's own menu is open. */
function isWanted(event: Event, target: HTMLElement): boolean {
  if (target.getAttribute('aria-expanded') === 'true') return false;
  if (event instanceof PointerEvent) return event.pointerType === 'mouse';
  return target.matches(':focus-visible');
}

function placeBeside(element: HTMLElement, at: DOMRect): void {
  const { width, height } = element.getBoundingClientRect();
  const fitsBelow = at.bottom + GAP + height + EDGE <= innerHeight;
  const left = Math.min(innerWidth - width - EDGE, Math.max(EDGE, at.left + at.width / 2 - width / 2));
  const top = fitsBelow ? at.bottom + GAP : Math.max(EDGE, at.top - GAP - height);
  element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}
