/**
 * The user's own config file, `config.json`. Unknown keys survive a write (requirements 153); a value that
 * does not fit its schema is reported with its path and the default is used.
 */
import { z } from 'zod';
import { foreignAgentSchema } from '../record/foreign-agent.ts';

export const permissionModeSchema = z.enum(['ask', 'edits', 'plan', 'auto']);
export type PermissionMode = z.infer<typeof permissionModeSchema>;

export const providerKindSchema = z.enum(['anthropic', 'openai', 'google', 'openai-compatible']);
export const providerIdSchema = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

/** A model endpoint. Its key is never here: it lies in `credentials.json` under the provider's id. */
export const providerConfigSchema = z.object({
  kind: providerKindSchema,
  title: z.string().optional(),
  baseUrl: z.url().optional(),
  models: z.array(z.string()).optional(),
  /** US dollars per million tokens, by model, for endpoints whose prices are not known. */
  prices: z.record(z.string(), z.object({ input: z.number(), output: z.number() })).optional(),
});
export type ProviderConfig = z.infer<typeof providerConfigSchema>;

/** `tool` or `tool(pattern)`: a shell rule matches a command prefix, a file rule a glob. */
export const permissionRuleSchema = z.string().min(1);

export const personalConfigSchema = z.object({
  agent: z.string().optional(),
  model: z.string().optional(),
  mode: permissionModeSchema.optional(),
  providers: z.record(providerIdSchema, providerConfigSchema).optional(),
  permissions: z
    .object({
      allow: z.array(permissionRuleSchema).optional(),
      deny: z.array(permissionRuleSchema).optional(),
    })
    .optional(),
  limits: z
    .object({
      steps: z.number().int().positive().optional(),
      costUsd: z.number().positive().optional(),
      shellTimeoutMs: z.number().int().positive().optional(),
    })
    .optional(),
  /** Argument array; `{path}`, `{line}` and `{column}` are replaced. Never a shell string. */
  editor: z.array(z.string()).min(1).optional(),
  theme: z.enum(['system', 'dark', 'light']).optional(),
  snapshots: z
    .object({
      retentionDays: z.union([z.number().positive(), z.literal('forever')]).optional(),
      maxBytes: z.number().int().positive().optional(),
      /** Free space of the disk that is left alone; 0: no floor. */
      minFreeBytes: z.number().int().nonnegative().optional(),
    })
    .optional(),
  history: z
    .object({
      /** Folders beside those where the tools keep their sessions by themselves. */
      places: z
        .array(z.object({ agent: foreignAgentSchema, dir: z.string().min(1) }))
        .max(200)
        .optional(),
      /** Keep copies of other tools' sessions. */
      vault: z.boolean().optional(),
    })
    .optional(),
  port: z.number().int().min(1).max(65535).optional(),
});
export type PersonalConfig = z.infer<typeof personalConfigSchema>;
export type PersonalSetting = keyof PersonalConfig;

const { shape } = personalConfigSchema;
/** A change of the settings, merged at the top level: `null` takes a setting out of the file. */
export const settingsPatchSchema = z.object({
  agent: shape.agent.nullable(),
  model: shape.model.nullable(),
  mode: shape.mode.nullable(),
  providers: shape.providers.nullable(),
  permissions: shape.permissions.nullable(),
  limits: shape.limits.nullable(),
  editor: shape.editor.nullable(),
  theme: shape.theme.nullable(),
  snapshots: shape.snapshots.nullable(),
  history: shape.history.nullable(),
  port: shape.port.nullable(),
});
export type SettingsPatch = z.infer<typeof settingsPatchSchema>;
