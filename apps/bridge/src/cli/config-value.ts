/** A setting by its dotted name: reading it, and the patch that changes it. Pure. */
import {
  type PersonalConfig,
  personalConfigSchema,
  type SettingsPatch,
  settingsPatchSchema,
} from '@skein/core/config/personal';
import { z } from 'zod';

export const SETTING_NAMES: readonly string[] = Object.keys(personalConfigSchema.shape);

export const readSetting = (config: PersonalConfig, key: string): unknown => {
  let value: unknown = config;
  for (const name of key.split('.')) value = fieldsOf(value)[name];
  return value;
};

export type ParsedSetting =
  | { readonly kind: 'ok'; readonly patch: SettingsPatch }
  | { readonly kind: 'bad'; readonly problem: string };

/** The patch that takes a setting, or a part of one, out of the file. */
export const unsetPatch = (config: PersonalConfig, key: string): SettingsPatch => {
  const [name = '', ...rest] = key.split('.');
  const value = rest.length === 0 ? null : without(fieldsOf(config)[name], rest);
  return settingsPatchSchema.parse({ [name]: value });
};

const without = (old: unknown, [name = '', ...rest]: readonly string[]): unknown => {
  const { [name]: removed, ...others } = fieldsOf(old);
  return rest.length === 0 || removed === undefined ? others : { ...others, [name]: without(removed, rest) };
};

/** The text is taken as JSON when that fits the setting, else as a word. The patch holds one whole top-level setting. */
export const parseSetting = (config: PersonalConfig, key: string, text: string): ParsedSetting => {
  const [name = '', ...rest] = key.split('.');
  let problem = '';
  if (text.trim() === 'null') return { kind: 'ok', patch: unsetPatch(config, key) };
  if (text.trim() === '')
    return { kind: 'bad', problem: 'it is empty; take it out with: skein config unset' };
  for (const value of [...jsonOf(text), text]) {
    const patch = { [name]: placed(fieldsOf(config)[name], rest, value) };
    const parsed = personalConfigSchema.safeParse(patch);
    // Names that the schema does not know are dropped by it: then nothing would change.
    if (parsed.success && JSON.stringify(readSetting(parsed.data, key)) === JSON.stringify(value))
      return { kind: 'ok', patch: parsed.data };
    problem ||= parsed.success
      ? 'there is no such part'
      : (parsed.error.issues[0]?.message ?? 'it does not fit');
  }
  return { kind: 'bad', problem };
};

const placed = (old: unknown, names: readonly string[], value: unknown): unknown => {
  const [name, ...rest] = names;
  return name === undefined ? value : { ...fieldsOf(old), [name]: placed(fieldsOf(old)[name], rest, value) };
};

const fieldsSchema = z.record(z.string(), z.unknown());

const fieldsOf = (value: unknown): Record<string, unknown> => {
  const fields = fieldsSchema.safeParse(value);
  return fields.success ? fields.data : {};
};

const jsonSchema = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    context.addIssue(String(error));
    return z.NEVER;
  }
});

const jsonOf = (text: string): readonly unknown[] => {
  const parsed = jsonSchema.safeParse(text);
  return parsed.success ? [parsed.data] : [];
};
