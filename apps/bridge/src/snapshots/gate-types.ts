/** Outcomes of the gate. The same words as the agents' port; kept here because L2 folders do not import each other. */
import type { FileState } from '@skein/core/restore/file-state';

export type GateRefusal =
  | 'outside_root'
  | 'protected'
  | 'link'
  | 'not_regular'
  | 'changed_since_read'
  | 'not_found'
  | 'park_failed';

export type GateResult =
  | { readonly kind: 'written'; readonly path: string; readonly pre: FileState; readonly post: FileState }
  | { readonly kind: 'refused'; readonly reason: GateRefusal; readonly message: string };
