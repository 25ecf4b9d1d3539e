/**
 * What the security suite attacks; the suite knows nothing but this interface. By default the listener by itself;
 * `SKEIN_SECURITY_TARGET=bridge npx vitest run apps/bridge/test/security` runs the same against a bridge process.
 */
import { startBridgeTarget } from './bridge-target.ts';
import { startListenerTarget } from './listener-target.ts';

export interface SecurityTarget {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly dataDir: string;
  /** A fresh one-time code, as `system.openingLink` puts it into a link. */
  issueCode(): Promise<string>;
  revoke(keyId: string): Promise<boolean>;
  /** How many flows ran since the start; null where it cannot be known. */
  calls(): number | null;
  [Symbol.asyncDispose](): Promise<void>;
}

export const IS_BRIDGE = process.env['SKEIN_SECURITY_TARGET'] === 'bridge';

export const startTarget = (): Promise<SecurityTarget> =>
  IS_BRIDGE ? startBridgeTarget() : startListenerTarget();
