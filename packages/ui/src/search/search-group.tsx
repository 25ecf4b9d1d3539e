import type { ReactNode } from 'react';
import { formatAgo, plural } from '../format.ts';
import { agentName } from './history-row.tsx';

export interface FoundHit {
  readonly record: string;
  readonly turn: string | null;
  readonly role: string;
  readonly snippet: string;
  /** Pairs of UTF-16 offsets into the snippet. */
  readonly marks: readonly (readonly [number, number])[];
}

export interface FoundGroup {
  readonly strand: string;
  readonly agent: string;
  readonly title: string;
  readonly cwd: string | null;
  readonly updatedAt: string;
  readonly hits: readonly FoundHit[];
  readonly count: number;
}

export interface SearchGroupProps {
  readonly group: FoundGroup;
  readonly nowMs: number;
  readonly onOpen: (strand: string, turn: string | null) => void;
}

const ROLES: Readonly<Record<string, string>> = {
  prompt: 'You',
  answer: 'Answer',
  tool: 'Tool',
  note: 'Note',
  summary: 'Summary',
  name: 'Name',
  turn: 'Files',
};

/** What was found in one session: each place leads there. */
export function SearchGroup({ group, nowMs, onOpen }: SearchGroupProps) {
  const { strand, agent, title, cwd, updatedAt, hits, count } = group;
  return (
    <li className="py-1.5">
      <p className="flex min-w-0 items-baseline gap-2 px-3 py-1">
        <span className="min-w-0 truncate font-medium">{title === '' ? 'No prompt' : title}</span>
        <span className="min-w-0 shrink truncate text-fg-2 text-meta">
          {`${agentName(agent)}${cwd === null ? '' : ` · ${cwd}`}`}
        </span>
        <span className="tabular ml-auto shrink-0 text-fg-2 text-meta">{formatAgo(updatedAt, nowMs)}</span>
      </p>
      <ul>
        {hits.map((hit) => (
          <li key={hit.record}>
            <button
              type="button"
              onClick={() => onOpen(strand, hit.turn)}
              className="flex w-full items-baseline gap-3 px-3 py-1 text-left hover:bg-hover focus-visible:outline-offset-[-2px] touch:py-2.5"
            >
              <span className="w-16 shrink-0 text-fg-2 text-meta">{ROLES[hit.role] ?? hit.role}</span>
              <span className="line-clamp-2 min-w-0 flex-1 break-words">
                <Marked text={hit.snippet} marks={hit.marks} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {count > hits.length && (
        <p className="px-3 pt-0.5 text-fg-2 text-meta">{`and ${plural(count - hits.length, 'more place')} in this session`}</p>
      )}
    </li>
  );
}

/** Plain text with the words that were looked for set apart. */
function Marked({ text, marks }: Pick<FoundHit, 'marks'> & { readonly text: string }) {
  const pieces: ReactNode[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    pieces.push(text.slice(at, start));
    pieces.push(
      <mark
        key={start}
        className="rounded-sm bg-transparent font-semibold text-accent-text underline underline-offset-2"
      >
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return (
    <>
      {pieces}
      {text.slice(at)}
    </>
  );
}
