/** Permission rules: those in the user's config, and those that could not be saved and hold for a session. */

import { isBridgeError } from '@skein/core/protocol/errors';
import type { StrandId } from '@skein/core/record/ids';
import type { SettingsStore } from '../settings/settings.ts';

export interface Rules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface SessionRules {
  /** As of the last `refresh`. */
  rules(strand: StrandId): Rules;
  /** Reads the config anew; called when a turn starts and after a change. */
  refresh(): Promise<void>;
  /** False when the config could not be written: then the rule holds for this session only (requirements 155). */
  remember(strand: StrandId, rule: string): Promise<boolean>;
}

export const createSessionRules = (settings: Pick<SettingsStore, 'config' | 'edit'>): SessionRules => {
  let saved: Rules = { allow: [], deny: [] };
  const unsaved = new Map<StrandId, readonly string[]>();
  const refresh = async (): Promise<void> => {
    const { config } = await settings.config();
    saved = { allow: config.permissions?.allow ?? [], deny: config.permissions?.deny ?? [] };
  };
  const forSession = (strand: StrandId): readonly string[] => unsaved.get(strand) ?? [];
  return {
    refresh,
    rules: (strand) => ({ allow: [...saved.allow, ...forSession(strand)], deny: saved.deny }),
    async remember(strand, rule) {
      // In force at once: the agent's next call may come before the file is written.
      unsaved.set(strand, [...forSession(strand), rule]);
      try {
        await settings.edit(({ permissions }) => ({
          permissions: { ...permissions, allow: [...new Set([...(permissions?.allow ?? []), rule])] },
        }));
        await refresh();
        unsaved.set(
          strand,
          forSession(strand).filter((held) => held !== rule),
        );
        return true;
      } catch (error) {
        if (!isBridgeError(error)) throw error;
        return false;
      }
    },
  };
};
