/** How secrets are compared and shortened. Node's own cryptography, nothing else. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Takes equally long whatever the difference, length included: the hashes are compared. */
export const sameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

/**
 * What a bridge answers to show that it holds the token, without telling it. The port is part of it, so that a
 * process on another port cannot pass a question on to the real bridge.
 */
export const proofOf = (
  token: string,
  challenge: { readonly port: number; readonly nonce: string },
): string =>
  createHmac('sha256', token).update(`skein-prove:${challenge.port}:${challenge.nonce}`).digest('base64url');
