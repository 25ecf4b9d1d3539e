import type { PermissionMode } from '@skein/core/config/personal';
import type { AgentInfo } from '@skein/core/protocol/agents';
import { ChevronDown } from 'lucide-react';
import { Icon } from '../primitives/icon.tsx';
import { Menu, type MenuEntry } from '../primitives/menu.tsx';
import { MODE_WORDS } from './modes.ts';

export interface PickersProps {
  readonly agents: readonly AgentInfo[];
  readonly agent: string | null;
  readonly model: string | null;
  readonly mode: PermissionMode | null;
  /** Absent: the agent of this session cannot change. */
  readonly onAgent?: ((name: string) => void) | undefined;
  readonly onModel?: ((model: string) => void) | undefined;
  readonly onMode?: ((mode: PermissionMode) => void) | undefined;
}

/** Agent · model · mode. What the agent does not offer is not shown. */
export function Pickers({ agents, agent, model, mode, onAgent, onModel, onMode }: PickersProps) {
  const info = agents.find(({ name }) => name === agent);
  const models = info?.models ?? [];
  const modes = info?.capabilities.modes ?? [];
  const title = info?.title ?? agent;
  return (
    <div className="flex min-w-0 items-center">
      {title !== null && (
        <Picker
          label="Agent"
          fixed="A session stays with the agent it began with."
          value={title}
          entries={onAgent === undefined ? [] : agentEntries(agents, agent, onAgent)}
        />
      )}
      {model !== null && (
        <Picker
          label="Model"
          value={model.slice(model.lastIndexOf('/') + 1)}
          mono
          entries={onModel === undefined ? [] : modelEntries(models, model, onModel)}
        />
      )}
      {mode !== null && modes.length > 0 && (
        <Picker
          label="Mode"
          value={MODE_WORDS[mode].label}
          entries={onMode === undefined ? [] : modeEntries(modes, mode, onMode)}
        />
      )}
    </div>
  );
}

interface PickerProps {
  readonly label: string;
  readonly value: string;
  readonly mono?: boolean | undefined;
  /** Why there is nothing to choose. */
  readonly fixed?: string | undefined;
  readonly entries: readonly MenuEntry[];
}

function Picker({ label, value, mono = false, fixed, entries }: PickerProps) {
  const text = <span className={mono ? 'truncate font-mono text-[12px]' : 'truncate'}>{value}</span>;
  if (entries.length === 0) {
    return (
      <span className="flex h-7 min-w-0 max-w-48 items-center px-2 text-fg-3 text-ui" title={fixed ?? label}>
        <span className="sr-only">{label}: </span>
        {text}
      </span>
    );
  }
  const trigger = (
    <button
      type="button"
      aria-label={`${label}: ${value}`}
      className="flex h-7 min-w-0 max-w-48 items-center gap-0.5 rounded-control px-2 text-fg-2 text-ui hover:bg-hover hover:text-fg touch:h-11"
    >
      {text}
      <Icon of={ChevronDown} size={14} className="text-fg-3" />
    </button>
  );
  return <Menu trigger={trigger} entries={entries} side="top" />;
}

function agentEntries(
  agents: readonly AgentInfo[],
  now: string | null,
  onAgent: (name: string) => void,
): readonly MenuEntry[] {
  return agents.map(({ name, title, available, reason }) => ({
    kind: 'choice',
    id: name,
    label: title,
    selected: name === now,
    disabledReason: available ? null : (reason ?? 'Not found on this machine.'),
    onSelect: () => onAgent(name),
  }));
}

/** Under the name of their provider when there are several. */
function modelEntries(
  models: readonly string[],
  now: string,
  onModel: (model: string) => void,
): readonly MenuEntry[] {
  const groups = Map.groupBy(models.includes(now) ? models : [now, ...models], (model) =>
    model.slice(0, Math.max(0, model.indexOf('/'))),
  );
  return [...groups].flatMap(([provider, list]): MenuEntry[] => [
    ...(groups.size > 1 && provider !== ''
      ? [{ kind: 'heading' as const, id: `provider ${provider}`, label: provider }]
      : []),
    ...list.map((model) => ({
      kind: 'choice' as const,
      id: model,
      label: model.slice(model.indexOf('/') + 1),
      selected: model === now,
      onSelect: () => onModel(model),
    })),
  ]);
}

function modeEntries(
  modes: readonly PermissionMode[],
  now: PermissionMode,
  onMode: (mode: PermissionMode) => void,
): readonly MenuEntry[] {
  return modes.map((mode) => ({
    kind: 'choice',
    id: mode,
    label: MODE_WORDS[mode].label,
    hint: MODE_WORDS[mode].hint,
    selected: mode === now,
    onSelect: () => onMode(mode),
  }));
}
