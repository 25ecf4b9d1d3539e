import type { StrandId } from '@skein/core/record/ids';
import { formatCount, plural } from '@skein/ui/format.ts';
import { EmptyState } from '@skein/ui/primitives/empty-state';
import { Skeleton } from '@skein/ui/primitives/skeleton';
import { TextInput } from '@skein/ui/primitives/text-input';
import { agentName } from '@skein/ui/search/history-row';
import { SearchGroup } from '@skein/ui/search/search-group';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { problemOf } from '../../bridge/problem.ts';
import { useNow } from '../../state/hooks.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { ProblemBox } from '../problem-box.tsx';
import { ScreenFrame } from '../screen-frame.tsx';

/** Long enough that a word is not looked for letter by letter. */
const PAUSE_MS = 120;
/** How often the index is asked again while it is being made. */
const INDEXING_MS = 2000;
const FILTERS = [
  'agent:codex',
  'in:/folder',
  'file:name',
  'tool:bash',
  'after:2026-01-31',
  'has:changes',
  'has:error',
];

/** Words in everything that was said and done, in every session of this machine. */
export function SearchScreen() {
  const { bridge, openStrand, ui } = useWorkbench();
  const [text, setText] = useState('');
  const query = useSettled(text.trim());
  const found = useQuery(
    bridge.trpc.search.query.queryOptions(
      { query },
      {
        enabled: query !== '',
        placeholderData: keepPreviousData,
        staleTime: 0,
        refetchInterval: ({ state }) => (state.data?.indexing === null ? false : INDEXING_MS),
      },
    ),
  );
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const now = useNow(30_000).getTime();
  const open = (strand: string, turn: string | null) => {
    openStrand(strand as StrandId, turn ?? undefined);
    ui.showNarrow('session');
  };
  const { data } = found;
  return (
    <ScreenFrame title="Search in all sessions">
      <TextInput
        ref={input}
        label="Words to look for"
        labelHidden
        placeholder={'Words, "a phrase", -not, begin*, agent:codex'}
        value={text}
        onChange={setText}
      />
      {query === '' && (
        <div className="flex flex-wrap items-center gap-2 text-fg-2 text-meta">
          <span>Narrow it down:</span>
          {FILTERS.map((filter) => (
            <button
              key={filter}
              type="button"
              onClick={() => {
                setText(`${text}${text === '' || text.endsWith(' ') ? '' : ' '}${filter} `);
                input.current?.focus();
              }}
              className="rounded-control border border-line px-1.5 py-0.5 font-mono hover:bg-hover hover:text-fg touch:py-2"
            >
              {filter}
            </button>
          ))}
        </div>
      )}
      {query !== '' && found.isPending && <Skeleton label="Looking" rows={6} />}
      {found.isError && <ProblemBox problem={problemOf(found.error)} kept="Nothing was changed." />}
      {query !== '' && data !== undefined && (
        <>
          {data.hints.map((hint) => (
            <p key={hint} className="text-fg-2 text-meta">
              {hint}
            </p>
          ))}
          <p role="status" className="text-fg-2 text-meta">
            {`${formatCount(data.total)}${data.isAtLeast ? ' or more' : ''} found in ${plural(data.groups.length, 'session')}`}
            {data.facets.agents.length > 1 &&
              `: ${data.facets.agents.map(({ agent, count }) => `${agentName(agent)} ${formatCount(count)}`).join(', ')}`}
            {data.indexing !== null &&
              ` · sessions are being read${data.indexing.total === 0 ? '' : `, ${formatCount(data.indexing.done)} of ${formatCount(data.indexing.total)}`}`}
          </p>
          {data.groups.length === 0 && data.indexing === null && (
            <EmptyState title="Nothing was found" text="Try a part of a word, or take a filter away." />
          )}
          {data.groups.length > 0 && (
            <ul className="divide-y divide-line overflow-hidden rounded-panel border border-line bg-raised">
              {data.groups.map((group) => (
                <SearchGroup key={group.strand} group={group} nowMs={now} onOpen={open} />
              ))}
            </ul>
          )}
        </>
      )}
    </ScreenFrame>
  );
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
