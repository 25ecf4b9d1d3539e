import type { PersonalConfig, ProviderConfig } from '@skein/core/config/personal';
import type { ProviderInfo } from '@skein/core/protocol/agents';
import { Button } from '@skein/ui/primitives/button';
import { EmptyState } from '@skein/ui/primitives/empty-state';
import { useState } from 'react';
import { ProviderForm } from './provider-form.tsx';
import { ProviderRow } from './provider-row.tsx';
import { Section } from './section.tsx';
import type { SettingsAccess } from './use-settings.ts';

export interface ProvidersSectionProps {
  readonly providers: readonly ProviderInfo[];
  readonly config: PersonalConfig;
  readonly access: SettingsAccess;
}

/** Endpoints that Skein's own agent can talk to. Their keys go to the bridge and never come back. */
export function ProvidersSection({ providers, config, access }: ProvidersSectionProps) {
  const [editing, setEditing] = useState<string | 'new' | null>(null);
  const saveAll = (all: Record<string, ProviderConfig>) => access.save({ providers: all });
  const save = (id: string, provider: ProviderConfig) => {
    saveAll({ ...config.providers, [id]: provider });
    setEditing(null);
  };
  const remove = (id: string) => {
    const { [id]: _removed, ...rest } = config.providers ?? {};
    saveAll(rest);
  };
  return (
    <Section
      title="Model providers"
      text="For Skein's own agent. The demo and the script agent need none."
      actions={<Button onClick={() => setEditing('new')}>Add a provider</Button>}
    >
      {editing === 'new' && (
        <ProviderForm
          taken={providers.map(({ id }) => id)}
          initial={null}
          onSave={save}
          onCancel={() => setEditing(null)}
        />
      )}
      {providers.length === 0 && editing === null && (
        <EmptyState
          title="No provider yet"
          text="Add one with its key, or a local endpoint that needs none."
        />
      )}
      <ul className="divide-y divide-line rounded-panel border border-line bg-raised empty:hidden">
        {providers.map((provider) => (
          <li key={provider.id} className="px-3 py-2">
            {editing === provider.id ? (
              <ProviderForm taken={[]} initial={provider} onSave={save} onCancel={() => setEditing(null)} />
            ) : (
              <ProviderRow
                provider={provider}
                isOwn={config.providers?.[provider.id] !== undefined}
                onEdit={() => setEditing(provider.id)}
                onRemove={() => remove(provider.id)}
                onSettings={access.adopt}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
