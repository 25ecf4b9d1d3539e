import type { LiveView } from '@skein/core/document/blocks';
import type { LiveCall, LivePart } from '@skein/core/document/live-turn';
import { liveToolLine } from '@skein/core/document/tool-line';
import { RotateCw } from 'lucide-react';
import { formatBytes, formatDuration } from '../format.ts';
import { Icon } from '../primitives/icon.tsx';
import { Markdown } from './markdown.tsx';
import { ToolLine } from './tool-call.tsx';

export interface LiveTailProps {
  readonly live: LiveView | null;
  /** Somebody must answer before it goes on. */
  readonly waiting: boolean;
}

/** What streams now, and a line that says that something is happening. */
export function LiveTail({ live, waiting }: LiveTailProps) {
  return (
    <div className="mt-3 flex flex-col gap-3 first:mt-0">
      {live?.parts.map((part) => (
        <LivePartView key={part.kind === 'call' ? part.call : `${part.kind}-${part.block}`} part={part} />
      ))}
      {live?.retry !== null && live?.retry !== undefined && <RetryLine retry={live.retry} />}
      <WorkingLine model={live?.model ?? null} waiting={waiting} />
    </div>
  );
}

function LivePartView({ part }: { readonly part: LivePart }) {
  if (part.kind === 'call') return <LiveCallLine call={part} />;
  if (part.kind === 'text') return <Markdown text={part.text} streaming />;
  const tail = part.text.length > 600 ? `… ${part.text.slice(-600).replace(/^\S*\s/, '')}` : part.text;
  return (
    <p className="max-w-[76ch] whitespace-pre-wrap break-words border-line border-l-2 pl-3 text-fg-2 text-ui">
      {tail}
    </p>
  );
}

function LiveCallLine({ call }: { readonly call: LiveCall }) {
  const { verb, target } = liveToolLine(call.name, call.input);
  const word = call.started
    ? 'running'
    : call.input.length > 1000
      ? formatBytes(call.input.length)
      : 'preparing';
  return (
    <ToolLine
      verb={verb}
      target={target}
      outcome={{ word, tone: 'running' }}
      durationMs={null}
      open={false}
      onToggle={nothingYet}
    />
  );
}

function nothingYet(): void {
  // A call that is still being written has nothing to unfold.
}

/** The model call failed in a way that may pass. */
function RetryLine({ retry }: { readonly retry: NonNullable<LiveView['retry']> }) {
  return (
    <p className="flex items-start gap-2 text-ui text-warn">
      <Icon of={RotateCw} size={14} className="mt-[3px]" />
      <span className="min-w-0 break-words">
        {`Try ${retry.attempt + 1} starts in ${formatDuration(retry.delayMs)}: ${retry.message}`}
      </span>
    </p>
  );
}

function WorkingLine({ model, waiting }: { readonly model: string | null; readonly waiting: boolean }) {
  return (
    <p className="flex h-6 items-center gap-2 text-fg-3 text-meta">
      <span
        aria-hidden="true"
        className={
          waiting ? 'size-2 rounded-full border-2 border-warn' : 'size-2 animate-pulse rounded-full bg-accent'
        }
      />
      {waiting ? <span className="text-warn">Waits for you</span> : 'Working'}
      {model !== null && <span className="font-mono">{model}</span>}
    </p>
  );
}
