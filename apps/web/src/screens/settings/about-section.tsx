import type { Settings } from '@skein/core/protocol/agents';
import { Button } from '@skein/ui/primitives/button';
import { CopyButton } from '@skein/ui/primitives/copy-button';
import { useQuery } from '@tanstack/react-query';
import { useWorkbench } from '../../state/workbench.ts';
import { Section } from './section.tsx';

/** Where everything lies on this machine. */
export function AboutSection({ settings }: { readonly settings: Settings }) {
  const { bridge, router } = useWorkbench();
  const info = useQuery(bridge.trpc.system.info.queryOptions()).data;
  const rows = [
    ['Data', settings.dataDir],
    ['Settings file', settings.configFile],
    ['Skein', info === undefined ? '…' : `${info.version}, protocol ${info.protocol}, process ${info.pid}`],
    ['Git', info === undefined ? '…' : (info.git ?? 'not found')],
  ] as const;
  return (
    <Section
      title="This installation"
      actions={<Button onClick={() => router.go({ kind: 'doctor' })}>Check it</Button>}
    >
      <dl className="rounded-panel border border-line bg-raised px-3 py-1">
        {rows.map(([name, value]) => (
          <div key={name} className="flex min-h-7 items-center gap-3">
            <dt className="w-24 shrink-0 text-fg-2">{name}</dt>
            <dd className="flex min-w-0 flex-1 items-center gap-3 break-all font-mono text-code">
              <span className="min-w-0 flex-1">{value}</span>
              {(name === 'Data' || name === 'Settings file') && (
                <CopyButton label={`Copy the path: ${name}`} text={() => value} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
