import type { PersonalConfig } from '@skein/core/config/personal';
import { Button } from '@skein/ui/primitives/button';
import { Icon } from '@skein/ui/primitives/icon';
import { IconButton } from '@skein/ui/primitives/icon-button';
import { TextInput } from '@skein/ui/primitives/text-input';
import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Section } from './section.tsx';

export interface RulesSectionProps {
  readonly config: PersonalConfig;
  readonly onSave: (patch: PersonalConfig) => void;
}

/** What needs no question, and what is never allowed. A denial wins. */
export function RulesSection({ config, onSave }: RulesSectionProps) {
  const { allow = [], deny = [] } = config.permissions ?? {};
  const save = (list: 'allow' | 'deny') => (rules: readonly string[]) =>
    onSave({ permissions: { allow, deny, [list]: [...rules] } });
  return (
    <Section
      title="Permission rules"
      text={
        <>
          A tool, or a tool with a pattern: <code className="text-code">bash(git status)</code> fits commands
          that start so, <code className="text-code">edit(src/**)</code> fits files. A denial wins.
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <RuleList
          label="Allowed without asking"
          example="bash(npm test)"
          rules={allow}
          onChange={save('allow')}
        />
        <RuleList label="Never allowed" example="bash(rm)" rules={deny} onChange={save('deny')} />
      </div>
    </Section>
  );
}

interface RuleListProps {
  readonly label: string;
  readonly example: string;
  readonly rules: readonly string[];
  readonly onChange: (rules: readonly string[]) => void;
}

function RuleList({ label, example, rules, onChange }: RuleListProps) {
  const [rule, setRule] = useState('');
  const text = rule.trim();
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (text === '' || rules.includes(text)) return;
    onChange([...rules, text]);
    setRule('');
  };
  return (
    <div className="min-w-0">
      <h3 className="mb-1 font-medium">{label}</h3>
      <ul className="mb-2 rounded-panel border border-line bg-raised p-1 empty:hidden">
        {rules.map((known) => (
          <li key={known} className="flex min-h-7 items-center gap-2 pl-2">
            <code className="min-w-0 flex-1 break-all text-code">{known}</code>
            <IconButton
              size="sm"
              label={`Remove ${known}`}
              icon={<Icon of={Trash2} size={14} />}
              onClick={() => onChange(rules.filter((other) => other !== known))}
            />
          </li>
        ))}
      </ul>
      <form onSubmit={add} className="flex items-end gap-2">
        <TextInput
          label={`New rule: ${label}`}
          labelHidden
          className="min-w-0 flex-1"
          mono
          value={rule}
          onChange={setRule}
          placeholder={example}
          spellCheck={false}
          autoComplete="off"
        />
        <Button type="submit" disabled={text === ''}>
          Add
        </Button>
      </form>
    </div>
  );
}
