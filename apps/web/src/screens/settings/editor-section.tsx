import type { SettingsPatch } from '@skein/core/config/personal';
import { Button } from '@skein/ui/primitives/button';
import { TextInput } from '@skein/ui/primitives/text-input';
import { type FormEvent, useState } from 'react';
import { argvOf, commandLineOf } from '../../state/command-line.ts';
import { Section } from './section.tsx';

export interface EditorSectionProps {
  readonly editor: readonly string[] | undefined;
  readonly onSave: (patch: SettingsPatch) => void;
}

const EXAMPLE = 'code --goto {path}:{line}';

/** The command that opens a file; run as a list of words, never by a shell. */
export function EditorSection({ editor, onSave }: EditorSectionProps) {
  const saved = editor === undefined ? '' : commandLineOf(editor);
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? saved;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const words = argvOf(text);
    onSave({ editor: words.length === 0 ? null : words });
    setTyped(null);
  };
  return (
    <Section title="Editor">
      <form onSubmit={submit} className="flex items-end gap-2">
        <TextInput
          label="Command"
          className="min-w-0 flex-1"
          mono
          value={text}
          onChange={setTyped}
          placeholder={EXAMPLE}
          hint="{path}, {line} and {column} are replaced. Without one, what $VISUAL or $EDITOR names is used."
          spellCheck={false}
          autoComplete="off"
        />
        <Button type="submit" className="mb-5" disabled={text === saved}>
          Save
        </Button>
      </form>
    </Section>
  );
}
