/** What a key press in the composer means. Pure: the field only carries the answer out. */

export interface ComposerKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly keyCode: number;
  readonly isComposing: boolean;
}

export type KeyMeaning = 'ime' | 'send' | 'newline' | 'interrupt' | 'none';

/** ⏎ and ⌘⏎ send, ⇧⏎ and ⌥⏎ break the line, esc interrupts. What an input method composes is never ours. */
export const meaningOfKey = (press: ComposerKey, running: boolean): KeyMeaning => {
  // Safari reports the Enter that ends a composition with keyCode 229 and isComposing false.
  if (press.isComposing || press.keyCode === 229) return 'ime';
  if (press.key === 'Enter') return press.shiftKey || press.altKey ? 'newline' : 'send';
  return press.key === 'Escape' && running ? 'interrupt' : 'none';
};

export type SendWhen = 'now' | 'steer' | 'queue';
/** What a prompt that is sent while a turn runs is for. */
export type FollowUp = Exclude<SendWhen, 'now'>;

/** The choice only counts while a turn runs, and only for an agent that can be steered. */
export const whenOf = (now: {
  readonly running: boolean;
  readonly canSteer: boolean;
  readonly followUp: FollowUp;
}): SendWhen => {
  if (!now.running) return 'now';
  return now.canSteer ? now.followUp : 'queue';
};
