/** What the composer says about itself. Pure. */
import { formatCount } from '../format.ts';
import type { SendWhen } from './keys.ts';

/** The bridge takes no longer one, see `promptInputSchema`. */
export const MAX_PROMPT_CHARS = 2_000_000;

export const reasonAgainstText = (text: string): string | null =>
  text.length <= MAX_PROMPT_CHARS
    ? null
    : `The prompt has ${formatCount(text.length)} characters; ${formatCount(MAX_PROMPT_CHARS)} can be sent. Put the rest in a file and name it with @.`;

export const placeholderOf = (when: SendWhen): string => {
  switch (when) {
    case 'now':
      return 'Ask for a change. @ names a file.';
    case 'steer':
      return 'Say something to the running turn.';
    case 'queue':
      return 'Write what comes next.';
  }
};

export const SEND_WORDS: Readonly<Record<SendWhen, string>> = { now: 'Send', steer: 'Steer', queue: 'Queue' };
