/**
 * The user's own `config.json`. A value that does not fit is reported with its path and left out, the rest holds;
 * keys that we do not know survive a write (requirements 153).
 */
import { type PersonalConfig, personalConfigSchema, type SettingsPatch } from '@skein/core/config/personal';
import { isBridgeError } from '@skein/core/protocol/errors';
import { readJsonIfThere, updateJsonFile } from '../platform/json-files.ts';

export interface ReadConfig {
  readonly config: PersonalConfig;
  /** One sentence each, naming the setting. */
  readonly problems: readonly string[];
}

export const readConfigFile = async (path: string): Promise<ReadConfig> => {
  try {
    return lenientConfig((await readJsonIfThere(path)) ?? {});
  } catch (error) {
    if (isBridgeError(error) && error.code === 'unreadable') return { config: {}, problems: [error.message] };
    throw error;
  }
};

/**
 * Merges what `edit` makes of the present config at the top level, both under the file's lock; `undefined` changes
 * nothing, `null` takes the setting out. Faults: `busy`, `unreadable`, `io`.
 */
export const editConfigFile = async (
  path: string,
  edit: (config: PersonalConfig) => SettingsPatch,
): Promise<ReadConfig> =>
  lenientConfig(
    await updateJsonFile(path, (current) => {
      const changes = Object.entries(edit(lenientConfig(current).config)).filter(
        ([, value]) => value !== undefined,
      );
      const merged = Object.entries({ ...current, ...Object.fromEntries(changes) });
      const isTakenOut = new Set(changes.filter(([, value]) => value === null).map(([key]) => key));
      return Object.fromEntries(merged.filter(([key]) => !isTakenOut.has(key)));
    }),
  );

/** Each setting by itself, each provider by itself: one mistake does not switch off the others. */
export const lenientConfig = (raw: unknown): ReadConfig => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { config: {}, problems: ['config.json must hold a JSON object.'] };
  }
  const problems: string[] = [];
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (!(key in personalConfigSchema.shape)) continue;
    const usable = key === 'providers' ? withoutBadProviders(value, problems) : value;
    const parsed = personalConfigSchema.safeParse({ [key]: usable });
    if (parsed.success) kept[key] = usable;
    else problems.push(...parsed.error.issues.map((issue) => sentence(issue.path, issue.message)));
  }
  return { config: personalConfigSchema.parse(kept), problems };
};

const withoutBadProviders = (providers: unknown, problems: string[]): unknown => {
  if (typeof providers !== 'object' || providers === null || Array.isArray(providers)) return providers;
  const good: [string, unknown][] = [];
  for (const [id, provider] of Object.entries(providers)) {
    const parsed = personalConfigSchema.safeParse({ providers: { [id]: provider } });
    if (parsed.success) good.push([id, provider]);
    else problems.push(...parsed.error.issues.map((issue) => sentence(issue.path, issue.message)));
  }
  return Object.fromEntries(good);
};

const sentence = (path: readonly PropertyKey[], message: string): string =>
  `config.json: ${path.map(String).join('.')}: ${message}`;
