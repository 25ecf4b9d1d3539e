/** Asks a model endpoint for its list of models: whether address and key work, and what can be chosen. */

import type { ProviderConfig } from '@skein/core/config/personal';
import { z } from 'zod';

export interface ProbeResult {
  readonly ok: boolean;
  /** One sentence; never contains the key. */
  readonly message: string;
  readonly models: readonly string[];
}

const DEADLINE_MS = 10_000;
const DEFAULT_BASE = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  'openai-compatible': '',
} as const;

const listSchema = z.object({
  data: z.array(z.object({ id: z.string() })).optional(),
  models: z.array(z.object({ name: z.string() })).optional(),
});

export const probeProvider = async (config: ProviderConfig, key: string | null): Promise<ProbeResult> => {
  const base = (config.baseUrl ?? DEFAULT_BASE[config.kind]).replace(/\/+$/, '');
  if (base === '') return { ok: false, message: 'This provider needs a base URL.', models: [] };
  try {
    const response = await fetch(`${base}/models`, {
      headers: headersFor(config.kind, key),
      redirect: 'error',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    if (!response.ok) return { ok: false, message: refusalOf(response.status), models: [] };
    const parsed = listSchema.safeParse(await response.json());
    if (!parsed.success)
      return { ok: false, message: 'The endpoint answered, but not with a list of models.', models: [] };
    const { data = [], models = [] } = parsed.data;
    const names = [...data.map(({ id }) => id), ...models.map(({ name }) => name.replace(/^models\//, ''))];
    return { ok: true, message: `Connected: ${names.length} models.`, models: names };
  } catch (error) {
    return { ok: false, message: unreachable(error, base), models: [] };
  }
};

const headersFor = (kind: ProviderConfig['kind'], key: string | null): Record<string, string> => {
  if (key === null) return {};
  switch (kind) {
    case 'anthropic':
      return { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
    case 'google':
      return { 'x-goog-api-key': key };
    case 'openai':
    case 'openai-compatible':
      return { authorization: `Bearer ${key}` };
  }
};

const refusalOf = (status: number): string =>
  status === 401 || status === 403
    ? 'The endpoint refused the key.'
    : `The endpoint answered with status ${status}.`;

const unreachable = (error: unknown, base: string): string => {
  const late = error instanceof Error && error.name === 'TimeoutError';
  return late ? `${new URL(base).host} did not answer within 10 s.` : `${base} cannot be reached.`;
};
