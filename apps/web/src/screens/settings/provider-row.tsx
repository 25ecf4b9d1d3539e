import type { ProviderInfo, Settings } from '@skein/core/protocol/agents';
import { Badge } from '@skein/ui/primitives/badge';
import { Button } from '@skein/ui/primitives/button';
import { Menu, type MenuEntry } from '@skein/ui/primitives/menu';
import { TextInput } from '@skein/ui/primitives/text-input';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { problemOf } from '../../bridge/problem.ts';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';

export interface ProviderRowProps {
  readonly provider: ProviderInfo;
  /** It is in the settings file, not only known by itself. */
  readonly isOwn: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  readonly onSettings: (settings: Settings) => void;
}

const KEYS = {
  none: { tone: 'warn', text: 'no key' },
  file: { tone: 'neutral', text: 'key saved' },
  environment: { tone: 'neutral', text: 'key from the environment' },
  not_needed: { tone: 'neutral', text: 'needs no key' },
} as const;

/** One provider: where it is, whether it has a key, whether it answers. */
export function ProviderRow({ provider, isOwn, onEdit, onRemove, onSettings }: ProviderRowProps) {
  const { trpc } = useWorkbench().bridge;
  const sayProblem = useSayProblem();
  const [asksKey, setAsksKey] = useState(false);
  const test = useMutation(trpc.settings.testProvider.mutationOptions());
  const setKey = useMutation(
    trpc.settings.setKey.mutationOptions({ onSuccess: onSettings, onError: sayProblem }),
  );
  const { id, config, key, models } = provider;
  const entries: MenuEntry[] = [
    { id: 'edit', label: 'Edit…', onSelect: onEdit },
    {
      id: 'forget',
      label: 'Remove the key',
      disabledReason: key === 'file' ? null : 'No key is saved here.',
      onSelect: () => setKey.mutate({ provider: id, key: null }),
    },
    {
      id: 'remove',
      label: 'Remove the provider',
      danger: true,
      disabledReason: isOwn ? null : 'It comes with Skein.',
      onSelect: onRemove,
    },
  ];
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{config.title ?? id}</span>
        <Badge tone={KEYS[key].tone}>{KEYS[key].text}</Badge>
        <span className="min-w-0 flex-1 truncate font-mono text-fg-3 text-meta max-sm:basis-full">
          {config.baseUrl ?? config.kind}
        </span>
        {key !== 'not_needed' && (
          <Button size="sm" onClick={() => setAsksKey(!asksKey)}>
            {key === 'none' ? 'Set key' : 'Replace key'}
          </Button>
        )}
        <Button size="sm" disabled={test.isPending} onClick={() => test.mutate({ provider: id })}>
          {test.isPending ? 'Testing…' : 'Test'}
        </Button>
        <Menu align="end" trigger={<Button size="sm">More</Button>} entries={entries} />
      </div>
      <p className="truncate text-fg-3 text-meta">
        {models.length === 0 ? 'No models known' : models.join(', ')}
      </p>
      {asksKey && (
        <KeyForm
          onCancel={() => setAsksKey(false)}
          onSave={(text) => {
            setKey.mutate({ provider: id, key: text });
            setAsksKey(false);
          }}
        />
      )}
      {(test.data !== undefined || test.isError) && (
        <p
          role="status"
          className={test.data?.ok === true ? 'text-pretty text-add' : 'text-pretty break-words text-del'}
        >
          {test.data?.message ?? problemOf(test.error).message}
        </p>
      )}
    </div>
  );
}

interface KeyFormProps {
  readonly onSave: (key: string) => void;
  readonly onCancel: () => void;
}

function KeyForm({ onSave, onCancel }: KeyFormProps) {
  const [key, setKey] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() !== '') onSave(key.trim());
  };
  return (
    <form onSubmit={submit} className="mt-2 flex items-end gap-2">
      <TextInput
        label="Key"
        type="password"
        className="min-w-0 flex-1"
        mono
        value={key}
        onChange={setKey}
        hint="Kept in credentials.json of this machine; it is never shown again."
        autoComplete="off"
        spellCheck={false}
      />
      <Button className="mb-5" onClick={onCancel}>
        Cancel
      </Button>
      <Button className="mb-5" variant="primary" type="submit" disabled={key.trim() === ''}>
        Save key
      </Button>
    </form>
  );
}
