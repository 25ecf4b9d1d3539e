import type { PersonalConfig } from '@skein/core/config/personal';
import { Segmented } from '@skein/ui/primitives/segmented';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { Section } from './section.tsx';

const OPTIONS = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

export function ThemeSection({ onSave }: { readonly onSave: (patch: PersonalConfig) => void }) {
  const { theme } = useWorkbench();
  const now = useStore(theme);
  return (
    <Section title="Theme">
      <Segmented
        label="Theme"
        value={now}
        options={OPTIONS}
        onChange={(next) => {
          theme.choose(next);
          onSave({ theme: next });
        }}
      />
    </Section>
  );
}
