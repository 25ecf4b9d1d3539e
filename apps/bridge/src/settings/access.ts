/** Token, browser keys and one-time codes as one answer to "who is this?". */
import type { Access } from './access-types.ts';
import type { BrowserKeys } from './browser-keys.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import { proofOf, sameSecret } from './secrets.ts';

export const createAccess = (parts: {
  readonly token: string;
  readonly keys: BrowserKeys;
  readonly codes: OneTimeCodes;
}): Access => ({
  identify(secret) {
    if (secret === '' || secret.length > 512) return null;
    if (sameSecret(secret, parts.token)) return { kind: 'token' };
    const keyId = parts.keys.find(secret);
    return keyId === null ? null : { kind: 'browser', keyId };
  },
  pair: async (code, label) => (parts.codes.use(code) ? parts.keys.issue(cleanLabel(label)) : null),
  prove: (challenge) => proofOf(parts.token, challenge),
  onRevoked: parts.keys.onRevoked,
});

/** One line of at most 80 visible characters; it comes from outside and is shown in a list. */
export const cleanLabel = (label: string): string => {
  const line = label.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return line === '' ? 'Browser' : [...line].slice(0, 80).join('');
};
