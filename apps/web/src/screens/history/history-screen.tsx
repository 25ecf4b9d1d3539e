import type { ForeignSession } from '@skein/core/protocol/history';
import type { StrandId } from '@skein/core/record/ids';
import { formatCount, plural } from '@skein/ui/format.ts';
import { Button } from '@skein/ui/primitives/button';
import { EmptyState } from '@skein/ui/primitives/empty-state';
import { Select } from '@skein/ui/primitives/select';
import { Skeleton } from '@skein/ui/primitives/skeleton';
import { TextInput } from '@skein/ui/primitives/text-input';
import { agentName, HistoryRow } from '@skein/ui/search/history-row';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { problemOf } from '../../bridge/problem.ts';
import { useNow } from '../../state/hooks.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { ProblemBox } from '../problem-box.tsx';
import { ScreenFrame } from '../screen-frame.tsx';

type Agent = ForeignSession['agent'] | 'all';
const FIRST = 200;
const MOST = 1000;

/** Sessions that other agents left on this machine, newest first. */
export function HistoryScreen() {
  const { bridge, openStrand, router, ui } = useWorkbench();
  const [agent, setAgent] = useState<Agent>('all');
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(FIRST);
  const wanted = useDeferredValue(text.trim());
  const list = useQuery(
    bridge.trpc.history.list.queryOptions(
      {
        limit,
        ...(agent === 'all' ? {} : { agent }),
        ...(wanted === '' ? {} : { text: wanted.slice(0, 200) }),
      },
      { placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const now = useNow(30_000).getTime();
  const open = (id: string) => {
    openStrand(id as StrandId);
    ui.showNarrow('session');
  };
  const agents = list.data?.agents ?? [];
  const isFiltering = agent !== 'all' || wanted !== '';
  return (
    <ScreenFrame
      title="Sessions of other agents"
      actions={<Button onClick={() => router.go({ kind: 'search' })}>Search in them</Button>}
    >
      <p className="text-pretty text-fg-2">
        Found where each agent keeps them, and only ever read. Open one to see it turn by turn, or go on with
        it here.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <TextInput
          label="Filter by title or folder"
          labelHidden
          placeholder="Title or folder"
          value={text}
          onChange={setText}
          className="min-w-48 flex-1"
        />
        <div className="w-56">
          <Select<Agent>
            label="Agent"
            labelHidden
            value={agent}
            options={[
              { value: 'all', label: 'All agents' },
              ...agents.map(({ agent: name, sessions }) => ({
                value: name,
                label: `${agentName(name)} (${formatCount(sessions)})`,
              })),
            ]}
            onChange={setAgent}
          />
        </div>
      </div>
      {list.isPending && <Skeleton label="Sessions are being looked for" rows={8} />}
      {list.isError && <ProblemBox problem={problemOf(list.error)} kept="Nothing was changed." />}
      {list.data?.notices.map((notice) => (
        <p key={notice} className="break-words text-fg-2 text-meta">
          {notice}
        </p>
      ))}
      {list.data?.items.length === 0 &&
        (isFiltering ? (
          <EmptyState title="No session fits" text="Take a filter away." />
        ) : (
          <EmptyState
            title="No sessions of other agents"
            text="None of the agents that Skein reads keeps sessions at its own place on this machine."
          />
        ))}
      {list.data !== undefined && list.data.items.length > 0 && (
        <>
          <p role="status" className="text-fg-2 text-meta">
            {list.data.total > list.data.items.length
              ? `The newest ${formatCount(list.data.items.length)} of ${plural(list.data.total, 'session')}`
              : plural(list.data.total, 'session')}
          </p>
          <ul className="divide-y divide-line overflow-hidden rounded-panel border border-line bg-raised">
            {list.data.items.map((session) => (
              <HistoryRow key={session.id} session={session} nowMs={now} onOpen={open} />
            ))}
          </ul>
          {list.data.next !== null && limit < MOST && (
            <Button onClick={() => setLimit(MOST)} disabled={list.isFetching}>
              Show more
            </Button>
          )}
          {list.data.next !== null && limit >= MOST && (
            <p className="text-fg-2 text-meta">There are more: narrow them down by a word or an agent.</p>
          )}
        </>
      )}
    </ScreenFrame>
  );
}
