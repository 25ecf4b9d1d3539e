/**
 * The personal config as it is used: a value that does not fit is reported and left out, never fatal, so
 * that one typing mistake does not lock the user out of Skein.
 */
import type { z } from 'zod';
import type { RetentionLimits } from '../restore/retention.ts';
import { type PermissionMode, type PersonalConfig, personalConfigSchema } from './personal.ts';

export interface CheckedConfig {
  /** Only what fits its schema; unknown keys are not here and stay in the file. */
  readonly config: PersonalConfig;
  /** One sentence a problem, beginning with the path: `limits.steps: …`. */
  readonly problems: readonly string[];
}

/** With every default filled in. Null: the agent or the environment decides. */
export interface ResolvedConfig {
  readonly agent: string | null;
  readonly model: string | null;
  readonly mode: PermissionMode | null;
  readonly providers: NonNullable<PersonalConfig['providers']>;
  readonly permissions: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly limits: {
    readonly steps: number;
    readonly costUsd: number | null;
    readonly shellTimeoutMs: number;
  };
  readonly editor: readonly string[] | null;
  readonly theme: 'system' | 'dark' | 'light';
  readonly snapshots: RetentionLimits;
  readonly port: number;
}

const GIB = 1024 ** 3;

/** `raw` is the parsed JSON of the file; undefined when there is none. */
export const checkConfig = (raw: unknown): CheckedConfig => {
  if (raw === undefined) return { config: {}, problems: [] };
  if (!isObject(raw)) return { config: {}, problems: ['config.json: not a JSON object; defaults are used'] };
  const rest: unknown = JSON.parse(JSON.stringify(raw));
  const problems: string[] = [];
  // Each round takes at least one value out, so this ends; the bound is for a file made to be slow.
  for (let round = 0; round < 1000; round += 1) {
    const parsed = personalConfigSchema.safeParse(rest);
    if (parsed.success) return { config: parsed.data, problems };
    const issue = parsed.error.issues[0];
    if (issue === undefined || !dropValue(rest, issue.path.map(String))) break;
    problems.push(problemOf(issue));
  }
  return { config: {}, problems: [...problems, 'config.json: too many mistakes; defaults are used'] };
};

/** The settings with every gap filled; what is not set by anybody is null. */
export const withDefaults = (config: PersonalConfig): ResolvedConfig => ({
  agent: config.agent ?? null,
  model: config.model ?? null,
  mode: config.mode ?? null,
  providers: config.providers ?? {},
  permissions: { allow: config.permissions?.allow ?? [], deny: config.permissions?.deny ?? [] },
  limits: {
    steps: config.limits?.steps ?? 200,
    costUsd: config.limits?.costUsd ?? null,
    shellTimeoutMs: config.limits?.shellTimeoutMs ?? 120_000,
  },
  editor: config.editor ?? null,
  theme: config.theme ?? 'system',
  snapshots: {
    retentionDays: config.snapshots?.retentionDays ?? 7,
    maxBytes: config.snapshots?.maxBytes ?? 10 * GIB,
    minFreeBytes: config.snapshots?.minFreeBytes ?? GIB,
  },
  port: config.port ?? 4765,
});

function problemOf(issue: z.core.$ZodIssue): string {
  return `${issue.path.map(String).join('.') || 'config.json'}: ${issue.message}`;
}

/**
 * Takes out the value at `path`, or the nearest one around it when it is missing (a required member). A
 * list goes as a whole, except rules, which stand alone: an editor command without one argument is another
 * command.
 */
function dropValue(root: unknown, path: readonly string[]): boolean {
  const isRule = path[0] === 'permissions' && path.length === 3;
  let at: unknown = root;
  let drop: (() => void) | null = null;
  for (const key of path) {
    if (Array.isArray(at) && isRule) {
      const list = at;
      drop = () => list.splice(Number(key), 1);
    }
    if (!isObject(at) || Array.isArray(at) || !Object.hasOwn(at, key)) break;
    const owner = at;
    drop = () => Reflect.deleteProperty(owner, key);
    at = owner[key];
  }
  drop?.();
  return drop !== null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
