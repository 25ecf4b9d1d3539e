/**
 * Permission requests that wait for a person. An id is single-use and bound to its strand and turn; it
 * expires when the turn ends (DESIGN section 7; requirements 164).
 */
import { BridgeError } from '@skein/core/protocol/errors';
import type { PermissionRequest } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';

export type DeskDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'always' }
  | { readonly kind: 'deny'; readonly reason: string | null };

interface OpenRequest {
  readonly request: PermissionRequest;
  readonly settle: (decision: DeskDecision) => void;
}

export interface PermissionDesk {
  /** Resolves with a person's decision; rejects with `interrupted` when `signal` aborts first. */
  wait(request: PermissionRequest, signal: AbortSignal): Promise<DeskDecision>;
  /** The answered request; null when the id is unknown, used up or belongs to another strand. */
  decide(id: string, strand: StrandId, decision: DeskDecision): PermissionRequest | null;
  open(): readonly PermissionRequest[];
}

export const createPermissionDesk = (): PermissionDesk => {
  const requests = new Map<string, OpenRequest>();
  return {
    wait(request, signal) {
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          requests.delete(request.id);
          reject(new BridgeError('interrupted', 'The turn ended before anybody answered.'));
        };
        if (signal.aborted) {
          onAbort();
          return;
        }
        signal.addEventListener('abort', onAbort, { once: true });
        requests.set(request.id, {
          request,
          settle: (decision) => {
            signal.removeEventListener('abort', onAbort);
            requests.delete(request.id);
            resolve(decision);
          },
        });
      });
    },
    decide(id, strand, decision) {
      const open = requests.get(id);
      if (open === undefined || open.request.strand !== strand) return null;
      open.settle(decision);
      return open.request;
    },
    open: () => [...requests.values()].map((open) => open.request).sort((a, b) => a.at.localeCompare(b.at)),
  };
};
