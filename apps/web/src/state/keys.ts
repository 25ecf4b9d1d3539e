/** Shortcuts as data: `mod+shift+KeyF`. Letters and digits by the key's place, so that ⌥ works on every layout. */

export interface KeyPress {
  readonly code: string;
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

export function matches(keys: string, press: KeyPress, isMac: boolean): boolean {
  const parts = keys.split('+');
  const last = parts.at(-1) ?? '';
  if (last === 'Question') return press.key === '?' && !press.altKey && !press.ctrlKey && !press.metaKey;
  const mod = isMac ? press.metaKey : press.ctrlKey;
  const otherMod = isMac ? press.ctrlKey : press.metaKey;
  return (
    press.code === last &&
    mod === parts.includes('mod') &&
    !otherMod &&
    press.altKey === parts.includes('alt') &&
    press.shiftKey === parts.includes('shift')
  );
}

const NAMES: Readonly<Record<string, string>> = {
  Comma: ',',
  BracketLeft: '[',
  BracketRight: ']',
  Escape: 'esc',
  Question: '?',
};

/** As it is drawn on the keys of this machine. */
export function keysLabel(keys: string, isMac: boolean): string {
  const parts = keys.split('+');
  const last = parts.at(-1) ?? '';
  const name = NAMES[last] ?? last.replace(/^(Key|Digit)/, '');
  const has = (part: string) => parts.includes(part);
  if (isMac) return `${has('alt') ? '⌥' : ''}${has('shift') ? '⇧' : ''}${has('mod') ? '⌘' : ''}${name}`;
  const words = [has('mod') ? 'Ctrl' : '', has('alt') ? 'Alt' : '', has('shift') ? 'Shift' : '', name];
  return words.filter((word) => word !== '').join('+');
}

export const isMacOs = (platform: string): boolean => /mac|iphone|ipad/i.test(platform);

/** Typing there must never trigger something else. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !/^(checkbox|radio|button|range)$/.test(target.type);
}
