/** Schemas of the `agents` and `settings` routers. */
import { z } from 'zod';
import {
  permissionModeSchema,
  personalConfigSchema,
  providerConfigSchema,
  providerIdSchema,
} from '../config/personal.ts';

/** A button that an agent cannot honour is not shown. */
export const agentCapabilitiesSchema = z.object({
  gatesWrites: z.boolean(),
  resume: z.boolean(),
  steer: z.boolean(),
  images: z.boolean(),
  thinking: z.boolean(),
  modes: z.array(permissionModeSchema),
});
export type AgentCapabilities = z.infer<typeof agentCapabilitiesSchema>;

export const agentInfoSchema = z.object({
  name: z.string(),
  title: z.string(),
  available: z.boolean(),
  /** Why not, and what to do. */
  reason: z.string().nullable(),
  /** `provider/model`, as the picker offers them. */
  models: z.array(z.string()),
  defaultModel: z.string().nullable(),
  defaultMode: permissionModeSchema,
  capabilities: agentCapabilitiesSchema,
});
export type AgentInfo = z.infer<typeof agentInfoSchema>;

export const providerInfoSchema = z.object({
  id: providerIdSchema,
  config: providerConfigSchema,
  /** Where its key comes from; the key itself never leaves the bridge. */
  key: z.enum(['none', 'file', 'environment', 'not_needed']),
  models: z.array(z.string()),
});
export type ProviderInfo = z.infer<typeof providerInfoSchema>;

export const settingsSchema = z.object({
  config: personalConfigSchema,
  problems: z.array(z.string()),
  configFile: z.string(),
  dataDir: z.string(),
  providers: z.array(providerInfoSchema),
});
export type Settings = z.infer<typeof settingsSchema>;

export const browserKeySchema = z.object({
  id: z.string(),
  label: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  current: z.boolean(),
});
export type BrowserKey = z.infer<typeof browserKeySchema>;

export const doctorCheckSchema = z.object({
  name: z.string(),
  status: z.enum(['ok', 'warn', 'fail']),
  message: z.string(),
  fix: z.string().nullable(),
});
export const doctorSchema = z.object({ checks: z.array(doctorCheckSchema), ok: z.boolean() });
