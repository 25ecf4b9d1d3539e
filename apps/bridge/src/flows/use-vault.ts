/** Keeping copies of other tools' sessions, and writing one back; only when the user asks for it. */
import { isAbsolute } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import type { VaultStatus } from '@skein/core/protocol/history';
import type { StrandId } from '@skein/core/record/ids';
import type { HistoryStore } from '../history/types.ts';

export interface UseVaultDeps {
  readonly history: Pick<HistoryStore, 'list' | 'vault'>;
  readonly isOn: () => Promise<boolean>;
  readonly turn: (on: boolean) => Promise<void>;
}

export const createUseVault = (deps: UseVaultDeps) => {
  const status = async (): Promise<VaultStatus> => {
    const { sessions } = await deps.history.list();
    const kept = sessions.filter((session) => session.kept);
    return {
      on: await deps.isOn(),
      sessions: kept.length,
      gone: kept.filter((session) => session.gone).length,
      ...(await deps.history.vault.usage()),
    };
  };
  return {
    status,
    /** Switching it off keeps what is there. */
    async set({ on }: { readonly on: boolean }): Promise<VaultStatus> {
      await deps.turn(on);
      return status();
    },
    /** Faults: `not_found` (no copy), `conflict` (something is there), `unreadable` (damaged), `io`. */
    async restore(input: {
      readonly session: StrandId;
      readonly to?: string | undefined;
    }): Promise<{ path: string; bytes: number }> {
      if (input.to !== undefined && !isAbsolute(input.to))
        throw new BridgeError('invalid_input', `This is no absolute path: ${input.to}`);
      const { sessions } = await deps.history.list();
      const session = sessions.find(({ id, kept }) => id === input.session && kept);
      const path = input.to ?? session?.path;
      const bytes =
        session === undefined || path === undefined
          ? null
          : await deps.history.vault.restore(session.path, path);
      if (bytes === null || path === undefined)
        throw new BridgeError('not_found', 'The vault has no copy of this session.', {
          data: { strand: input.session },
        });
      return { path, bytes };
    },
  };
};
