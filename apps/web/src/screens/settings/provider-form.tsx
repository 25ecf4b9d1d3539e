import type { ProviderConfig } from '@skein/core/config/personal';
import type { ProviderInfo } from '@skein/core/protocol/agents';
import { Button } from '@skein/ui/primitives/button';
import { Select } from '@skein/ui/primitives/select';
import { TextInput } from '@skein/ui/primitives/text-input';
import { type FormEvent, useState } from 'react';

export interface ProviderFormProps {
  readonly initial: ProviderInfo | null;
  readonly taken: readonly string[];
  readonly onSave: (id: string, config: ProviderConfig) => void;
  readonly onCancel: () => void;
}

const KINDS = [
  { value: 'openai-compatible', label: 'OpenAI-compatible', hint: 'Local servers, gateways, most others' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'openai', label: 'OpenAI' },
  { value: 'google', label: 'Google' },
] as const;

/** Adds or changes an endpoint. The key is set apart, once it is saved. */
export function ProviderForm({ initial, taken, onSave, onCancel }: ProviderFormProps) {
  const [kind, setKind] = useState<ProviderConfig['kind']>(initial?.config.kind ?? 'openai-compatible');
  const [id, setId] = useState(initial?.id ?? '');
  const [baseUrl, setBaseUrl] = useState(initial?.config.baseUrl ?? '');
  const [models, setModels] = useState((initial?.config.models ?? []).join(', '));
  const url = baseUrl.trim();
  const isUrlGood = url === '' ? kind !== 'openai-compatible' : /^https?:/.test(url) && URL.canParse(url);
  const isIdGood = /^[a-z][a-z0-9-]{0,31}$/.test(id) && !taken.includes(id);
  const isGood = isIdGood && isUrlGood;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isGood) return;
    const { baseUrl: _url, models: _models, ...rest } = initial?.config ?? {};
    const words = wordsOf(models);
    onSave(id, {
      ...rest,
      kind,
      ...(url === '' ? {} : { baseUrl: url }),
      ...(words === undefined ? {} : { models: words }),
    });
  };
  return (
    <form
      onSubmit={submit}
      className="mb-3 grid gap-3 rounded-panel border border-line bg-sunken p-3 sm:grid-cols-2"
    >
      <Select label="Kind" value={kind} options={KINDS} onChange={setKind} />
      <TextInput
        label="Id"
        mono
        value={id}
        onChange={setId}
        readOnly={initial !== null}
        placeholder="local"
        error={id !== '' && !isIdGood ? idProblem(id, taken) : null}
        spellCheck={false}
        autoComplete="off"
      />
      <TextInput
        label={kind === 'openai-compatible' ? 'Address' : 'Address (empty: the usual one)'}
        mono
        type="url"
        value={baseUrl}
        onChange={setBaseUrl}
        placeholder="http://127.0.0.1:11434/v1"
        spellCheck={false}
        autoComplete="off"
      />
      <TextInput
        label="Models"
        mono
        value={models}
        onChange={setModels}
        placeholder="one, another"
        hint="Empty: asked from the endpoint."
        spellCheck={false}
        autoComplete="off"
      />
      <div className="flex justify-end gap-2 sm:col-span-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" type="submit" disabled={!isGood}>
          Save
        </Button>
      </div>
    </form>
  );
}

function wordsOf(text: string): string[] | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}

function idProblem(id: string, taken: readonly string[]): string {
  return taken.includes(id)
    ? 'There is one of this id already.'
    : 'Lower-case letters, digits and -, letter first.';
}
