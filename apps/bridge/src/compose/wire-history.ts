/** Sessions of other agents and files as they were, wired. No place is looked at yet: nothing is found. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { Flows } from '../api/flows.ts';

const NO_VAULT = { on: false, sessions: 0, gone: 0, rawBytes: 0, storedBytes: 0, damaged: 0 };

export const wireHistory = (): Flows['history'] => ({
  list: async () => ({ items: [], next: null, total: 0, agents: [], notices: [] }),
  open: async () => noSession(),
  continue: async () => noSession(),
  places: async () => ({ places: [] }),
  addPlace: async () => ({ places: [] }),
  removePlace: async () => ({ places: [] }),
  vault: async () => NO_VAULT,
  setVault: async () => NO_VAULT,
  restoreFromVault: async () => noSession(),
});

export const wirePast = (): Pick<Flows['files'], 'at' | 'versionAt' | 'blame'> => ({
  at: async () => ({ held: false, why: 'No versions of files are kept for this session.' }),
  versionAt: async () => ({ held: false, why: 'No versions of files are kept for this session.' }),
  blame: async ({ path }) => ({ path, turns: [], lines: [] }),
});

const noSession = (): never => {
  throw new BridgeError('not_found', 'There is no such session of another agent.');
};
