import { FileWarning } from 'lucide-react';
import { formatAgo, formatBytes, formatCost, formatTokens, plural } from '../format.ts';
import { Badge } from '../primitives/badge.tsx';
import { Icon } from '../primitives/icon.tsx';

export interface HistoryRowSession {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly cwd: string | null;
  readonly updatedAt: string;
  readonly prompts: number;
  readonly model: string | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly cost: number | null;
  readonly sizeBytes: number;
  readonly parent: string | null;
  readonly problems: number;
  readonly gone: boolean;
}

export interface HistoryRowProps {
  readonly session: HistoryRowSession;
  readonly nowMs: number;
  readonly onOpen: (id: string) => void;
}

/** One session of another agent in a list. */
export function HistoryRow({ session, nowMs, onOpen }: HistoryRowProps) {
  const { id, agent, title, cwd, updatedAt, prompts, problems, gone, parent } = session;
  return (
    <li className="[contain-intrinsic-size:auto_52px] [content-visibility:auto]">
      <button
        type="button"
        onClick={() => onOpen(id)}
        className="flex w-full items-start gap-3 px-3 py-1.5 text-left hover:bg-hover focus-visible:outline-offset-[-2px] touch:py-2.5"
      >
        <span className="min-w-0 flex-1">
          <span className="flex min-w-0 items-center gap-2">
            <span className="min-w-0 truncate font-medium">{title === '' ? 'No prompt' : title}</span>
            {parent !== null && <Badge tone="neutral">sub-agent</Badge>}
            {gone && <Badge tone="warn">deleted there, kept here</Badge>}
          </span>
          <span className="block truncate text-fg-2 text-meta">
            {`${agentName(agent)} · ${plural(prompts, 'prompt')}${spentWords(session)}`}
            {cwd !== null && <span className="font-mono">{` · ${cwd}`}</span>}
          </span>
        </span>
        {problems > 0 && (
          <span className="flex items-center gap-1 pt-0.5 text-fg-2 text-meta">
            <Icon of={FileWarning} size={14} />
            {plural(problems, 'bad line')}
          </span>
        )}
        <span className="tabular shrink-0 pt-0.5 text-fg-2 text-meta">{formatAgo(updatedAt, nowMs)}</span>
      </button>
    </li>
  );
}

/** What is not told is left out: an unknown cost is not nothing. */
function spentWords({ tokens, cost, model, sizeBytes }: HistoryRowSession): string {
  const words = [
    tokens === null ? formatBytes(sizeBytes) : `${formatTokens(tokens.input + tokens.output)} tokens`,
    ...(cost === null ? [] : [formatCost(cost)]),
    ...(model === null ? [] : [model]),
  ];
  return words.map((word) => ` · ${word}`).join('');
}

const NAMES: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  pi: 'Pi',
  omp: 'Oh My Pi',
  copilot: 'Copilot CLI',
  skein: 'Skein',
};

export const agentName = (agent: string): string => NAMES[agent] ?? agent;
