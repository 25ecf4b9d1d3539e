import type { PermissionMode, PersonalConfig, SettingsPatch } from '@skein/core/config/personal';
import { MODE_WORDS } from '@skein/ui/composer/modes.ts';
import { Select } from '@skein/ui/primitives/select';
import { useQuery } from '@tanstack/react-query';
import { useWorkbench } from '../../state/workbench.ts';
import { Section } from './section.tsx';

export interface DefaultsSectionProps {
  readonly config: PersonalConfig;
  readonly onSave: (patch: SettingsPatch) => void;
}

const NONE = '' as const;
const MODES = ['ask', 'edits', 'plan', 'auto'] as const;

/** What a new session starts with. */
export function DefaultsSection({ config, onSave }: DefaultsSectionProps) {
  const { trpc } = useWorkbench().bridge;
  const agents = useQuery(trpc.agents.list.queryOptions()).data ?? [];
  const models = [...new Set(agents.flatMap((agent) => agent.models))];
  const known =
    config.model === undefined || models.includes(config.model) ? models : [config.model, ...models];
  return (
    <Section title="New sessions" text="Each can be changed for a session at any time.">
      <div className="grid gap-3 sm:grid-cols-3">
        <div>
          <Select
            label="Agent"
            value={config.agent ?? NONE}
            options={[
              { value: NONE, label: 'First that is ready' },
              ...agents.map(({ name, title, reason }) => ({
                value: name,
                label: title,
                ...(reason === null ? {} : { hint: reason }),
              })),
            ]}
            onChange={(agent) => onSave({ agent: agent === NONE ? null : agent })}
          />
        </div>
        <div>
          <Select
            label="Model"
            value={config.model ?? NONE}
            options={[
              { value: NONE, label: "The agent's own" },
              ...known.map((model) => ({ value: model, label: model })),
            ]}
            onChange={(model) => onSave({ model: model === NONE ? null : model })}
          />
        </div>
        <div>
          <Select<PermissionMode | ''>
            label="Permissions"
            value={config.mode ?? NONE}
            options={[
              { value: NONE, label: "The agent's own" },
              ...MODES.map((mode) => ({ value: mode, ...MODE_WORDS[mode] })),
            ]}
            onChange={(mode) => onSave({ mode: mode === NONE ? null : mode })}
          />
        </div>
      </div>
    </Section>
  );
}
