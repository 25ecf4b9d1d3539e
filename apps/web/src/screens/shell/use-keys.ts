import { isMacOs, keysLabel } from '../../state/keys.ts';

/** Shortcuts as they are drawn on this machine's keys. */
export function useKeys(): (keys: string) => string {
  return labelHere;
}

function labelHere(keys: string): string {
  return keysLabel(keys, isMacOs(navigator.platform));
}
