/** Who may talk to the bridge. The listener asks; this folder decides. */
export type Caller = { readonly kind: 'token' } | { readonly kind: 'browser'; readonly keyId: string };

export interface Access {
  /** A token or a browser key, from a header or a first message; null: neither. */
  identify(secret: string): Caller | null;
  /** Exchanges a one-time code for a browser key of its own. Null: unknown, used or older than 60 s. */
  pair(code: string, label: string): Promise<{ readonly id: string; readonly key: string } | null>;
  /** Answers a client that wants to know who we are before it sends the token; see `secrets.ts`. */
  prove(challenge: { readonly port: number; readonly nonce: string }): string;
  /** Called when a browser key was revoked: its sockets must go at once. Returns the stop function. */
  onRevoked(listener: (keyId: string) => void): () => void;
}
