/** Random identifiers. All randomness of the bridge comes from here. */
import { randomBytes } from 'node:crypto';
import type { OpId, RecordId, StrandId } from '@skein/core/record/ids';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

/** 12 characters of [0-9a-z], about 62 bits; bytes above 251 are drawn again so that no letter is favoured. */
const word12 = (): string => {
  let word = '';
  while (word.length < 12) {
    for (const byte of randomBytes(16)) {
      if (byte < 252 && word.length < 12) word += ALPHABET.charAt(byte % 36);
    }
  }
  return word;
};

export const newRecordId = (): RecordId => word12() as RecordId;
export const newOpId = (): OpId => word12() as OpId;
export const newStrandId = (): StrandId => randomBytes(6).toString('hex') as StrandId;
/** A secret of 32 random bytes in base64url, for tokens and browser keys. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
/** For approvals, jobs, temp names: no secret, only unique. */
export const newName = (): string => word12();
