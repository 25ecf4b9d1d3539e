/** The settings in force at the tip: the last `change` of each name on the path. */
import type { RecordId } from '../record/ids.ts';
import type { RecordOf } from '../record/schema.ts';
import { parentOf } from './path.ts';
import type { StrandState } from './state.ts';

export type Settings = Readonly<Record<string, RecordOf<'change'>['value']>>;

/** Walks the chain of changes only, not the whole path. */
export const settingsOf = (state: StrandState, at: RecordId | null = state.tip): Settings => {
  const settings = new Map<string, RecordOf<'change'>['value']>();
  let id = at === null ? null : (state.nodes.get(at)?.change ?? null);
  while (id !== null) {
    const node = state.nodes.get(id);
    if (node?.record?.kind !== 'change') break;
    if (!settings.has(node.record.setting)) settings.set(node.record.setting, node.record.value);
    id = parentOf(state, node)?.change ?? null;
  }
  return Object.fromEntries([...settings].reverse());
};

/** One setting as text, or null when it is not set or no text. */
export const settingText = (settings: Settings, name: string): string | null => {
  const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return typeof value === 'string' ? value : null;
};
