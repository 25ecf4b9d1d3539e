/** From here on the three panels are three pages. */
export const NARROW = '(width < 768px)';
