import { Skeleton } from '@skein/ui/primitives/skeleton';
import { ProblemBox } from '../problem-box.tsx';
import { ScreenFrame } from '../screen-frame.tsx';
import { AboutSection } from './about-section.tsx';
import { DefaultsSection } from './defaults-section.tsx';
import { EditorSection } from './editor-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { ProvidersSection } from './providers-section.tsx';
import { RulesSection } from './rules-section.tsx';
import { SnapshotsSection } from './snapshots-section.tsx';
import { ThemeSection } from './theme-section.tsx';
import { useSettings } from './use-settings.ts';

/** The user's own settings, as `config.json` has them. */
export function SettingsScreen() {
  const access = useSettings();
  const { settings, problem, save } = access;
  return (
    <ScreenFrame title="Settings">
      {problem !== null && <ProblemBox problem={problem} kept="The settings file was not changed." />}
      {settings === null && problem === null && <Skeleton label="Settings are loading" rows={8} />}
      {settings !== null && (
        <>
          {settings.problems.length > 0 && <Problems problems={settings.problems} />}
          <ProvidersSection providers={settings.providers} config={settings.config} access={access} />
          <DefaultsSection config={settings.config} onSave={save} />
          <RulesSection config={settings.config} onSave={save} />
          <EditorSection editor={settings.config.editor} onSave={save} />
          <ThemeSection onSave={save} />
          <SnapshotsSection />
          <KeysSection />
          <AboutSection settings={settings} />
        </>
      )}
    </ScreenFrame>
  );
}

/** Values of the file that do not fit; the default is used for each. */
function Problems({ problems }: { readonly problems: readonly string[] }) {
  return (
    <div role="status" className="rounded-panel border border-warn-line bg-warn-bg px-3 py-2">
      <p className="font-medium">Some values in the settings file are not understood; defaults are used.</p>
      <ul className="list-disc pl-5 text-fg-2">
        {problems.map((problem) => (
          <li key={problem} className="break-words">
            {problem}
          </li>
        ))}
      </ul>
    </div>
  );
}
