import type { StoreUsage } from '@skein/core/protocol/store';
import { formatAgo, formatBytes, plural } from '@skein/ui/format.ts';
import { Button } from '@skein/ui/primitives/button';
import { Dialog } from '@skein/ui/primitives/dialog';
import { Skeleton } from '@skein/ui/primitives/skeleton';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../bridge/problem.ts';
import { useNow } from '../../state/hooks.ts';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { ProblemBox } from '../problem-box.tsx';
import { Section } from './section.tsx';

/** What undo keeps on disk, and giving it back. */
export function SnapshotsSection() {
  const { bridge, ui } = useWorkbench();
  const sayProblem = useSayProblem();
  const usage = useQuery(bridge.trpc.store.usage.queryOptions());
  const [asked, setAsked] = useState<Asked | null>(null);
  const done = (freed: number) => {
    setAsked(null);
    ui.say({ tone: 'done', text: `Freed ${formatBytes(freed)}.` });
    usage.refetch().catch(reportError);
  };
  const clean = useMutation(
    bridge.trpc.store.gc.mutationOptions({ onSuccess: ({ freed }) => done(freed), onError: sayProblem }),
  );
  const purge = useMutation(
    bridge.trpc.store.purge.mutationOptions({ onSuccess: ({ freed }) => done(freed), onError: sayProblem }),
  );
  return (
    <Section
      title="Snapshots and disk space"
      text="Versions of your files that undo and redo rest on. They hold contents in plain text, secrets included, readable by you only."
      actions={
        <Button disabled={clean.isPending} onClick={() => clean.mutate()}>
          {clean.isPending ? 'Cleaning up' : 'Clean up now'}
        </Button>
      }
    >
      {usage.isPending && <Skeleton label="Sizes are being measured" rows={3} />}
      {usage.isError && <ProblemBox problem={problemOf(usage.error)} kept="No version was deleted." />}
      {usage.data !== undefined && <Sizes usage={usage.data} onDelete={setAsked} />}
      <Dialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title="Delete saved versions"
        description="They are deleted at once, not moved to the trash."
        footer={
          <>
            <Button onClick={() => setAsked(null)}>Cancel</Button>
            <Button
              variant="danger"
              disabled={purge.isPending}
              onClick={() => purge.mutate(asked?.key === null || asked === null ? {} : { key: asked.key })}
            >
              {purge.isPending ? 'Deleting' : 'Delete'}
            </Button>
          </>
        }
      >
        <p className="p-4">
          {`What commands and agents changed in ${asked?.name ?? ''} can no longer be undone or redone afterwards. Your files stay as they are, and so do the sessions.`}
        </p>
      </Dialog>
    </Section>
  );
}

interface Asked {
  /** Null: everything. */
  readonly key: string | null;
  readonly name: string;
}

function Sizes({
  usage,
  onDelete,
}: {
  readonly usage: StoreUsage;
  readonly onDelete: (asked: Asked) => void;
}) {
  const now = useNow(60_000).getTime();
  const days =
    usage.retentionDays === 'forever'
      ? 'for ever'
      : `for ${plural(usage.retentionDays, 'day')} after a session was used last`;
  return (
    <>
      <ul className="divide-y divide-line rounded-panel border border-line bg-raised">
        {usage.stores.map(({ key, workspace, bytes, turns, lastUsedAt, gone }) => (
          <li key={key} className="flex items-center gap-2 px-3 py-1.5">
            <span className="min-w-0 flex-1">
              <span className="break-all font-mono text-code">{workspace ?? key}</span>
              <span className="block text-fg-3 text-meta">
                {`${plural(turns, 'turn')} with commands${lastUsedAt === null ? '' : `, last used ${formatAgo(lastUsedAt, now)}`}${gone ? ', the folder is gone' : ''}`}
              </span>
            </span>
            <span className="tabular font-mono text-code">{formatBytes(bytes)}</span>
            <Button size="sm" variant="danger" onClick={() => onDelete({ key, name: workspace ?? key })}>
              Delete…
            </Button>
          </li>
        ))}
        <Row name="Versions of single files" bytes={usage.blobs} />
        <Row name="Journals" bytes={usage.journals} />
        {usage.trash > 0 && <Row name="Trash, emptied after 7 days" bytes={usage.trash} />}
        <li className="flex items-center gap-2 px-3 py-1.5 font-medium">
          <span className="flex-1">In all</span>
          <span className="tabular font-mono text-code">{formatBytes(usage.total)}</span>
          <Button
            size="sm"
            variant="danger"
            disabled={usage.total === 0}
            onClick={() => onDelete({ key: null, name: 'every workspace' })}
          >
            Delete all…
          </Button>
        </li>
      </ul>
      <p className="mt-1 text-fg-2 text-meta">
        {`Kept ${days}, at most ${formatBytes(usage.maxBytes)} a workspace (settings snapshots.retentionDays and snapshots.maxBytes).`}
      </p>
    </>
  );
}

function Row({ name, bytes }: { readonly name: string; readonly bytes: number }) {
  return (
    <li className="flex items-center gap-2 px-3 py-1.5">
      <span className="flex-1">{name}</span>
      <span className="tabular font-mono text-code">{formatBytes(bytes)}</span>
    </li>
  );
}
