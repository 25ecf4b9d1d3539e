/** The permission modes in words. */
import type { PermissionMode } from '@skein/core/config/personal';

export const MODE_WORDS: Readonly<Record<PermissionMode, { readonly label: string; readonly hint: string }>> =
  {
    ask: { label: 'Ask', hint: 'Asks before each change and command' },
    edits: { label: 'Edits', hint: 'Edits files freely, asks before commands' },
    plan: { label: 'Plan', hint: 'Reads only, changes nothing' },
    auto: { label: 'Auto', hint: 'Asks nothing' },
  };
