/** Shortcuts are written as on a Mac (`⌘⇧Z`) and read as on this machine. */
import { useSyncExternalStore } from 'react';

export const keysLabel = (keys: string, isMac: boolean): string => {
  if (isMac) return keys;
  return keys
    .replace(/⌘/g, 'Ctrl+')
    .replace(/⌥/g, 'Alt+')
    .replace(/⇧(?=.)/g, 'Shift+');
};

/** The page is rendered once at build time, where no machine is known: there it reads as on a Mac. */
export const useKeysLabel = (keys: string): string =>
  keysLabel(keys, useSyncExternalStore(never, isMacNow, atBuild));

function never(): () => void {
  return () => undefined;
}

function isMacNow(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}

function atBuild(): boolean {
  return true;
}
