/** How everything looks that floats above the page: menus, popovers, lists of suggestions. */
export const FLOATING =
  'origin-[var(--transform-origin)] rounded-panel border border-line bg-raised text-fg shadow-float outline-none transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0';
