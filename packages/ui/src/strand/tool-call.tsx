import type { ToolEdit, ToolItem } from '@skein/core/document/blocks';
import { ChevronRight } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { formatDuration } from '../format.ts';
import { Icon } from '../primitives/icon.tsx';
import { LazyDiff } from '../restore/diff-lazy.tsx';
import { useFold } from './folds.tsx';
import { languageOfPath } from './highlight-languages.ts';
import { useServices } from './services.tsx';
import { SpillView } from './spill-view.tsx';

export interface ToolCallProps {
  readonly item: ToolItem;
  /** Output so far, while it runs; null when it does not. */
  readonly liveOutput?: string | null | undefined;
  /** Whether the turn still runs: without a result the call waits or was cut off. */
  readonly running: boolean;
}

/** A tool call as one line; unfolded it shows its input, what it changed and its output. */
export const ToolCall = memo(function ToolCall({ item, liveOutput = null, running }: ToolCallProps) {
  const [open, setOpen] = useFold(item.key);
  const outcome = outcomeOf(item, running);
  return (
    <div>
      <ToolLine
        verb={item.verb}
        target={item.target}
        outcome={outcome}
        durationMs={item.durationMs}
        open={open}
        onToggle={() => setOpen(!open)}
      />
      {liveOutput !== null && liveOutput !== '' && !open && <LiveOutput text={liveOutput} />}
      {open && <ToolDetail item={item} liveOutput={liveOutput} />}
    </div>
  );
});

export interface ToolOutcome {
  readonly word: string;
  readonly tone: 'quiet' | 'del' | 'warn' | 'running';
}

const OUTCOME_COLOURS = {
  quiet: 'text-fg-3',
  del: 'text-del',
  warn: 'text-warn',
  running: 'text-accent-text',
};

export interface ToolLineProps {
  readonly verb: string;
  readonly target: string;
  readonly outcome: ToolOutcome | null;
  readonly durationMs: number | null;
  readonly open: boolean;
  readonly onToggle: () => void;
}

export function ToolLine({ verb, target, outcome, durationMs, open, onToggle }: ToolLineProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      data-fold
      onClick={onToggle}
      className="-mx-1.5 group/tool flex min-h-6 w-[calc(100%+12px)] min-w-0 items-baseline gap-1.5 rounded-control px-1.5 py-0.5 text-left hover:bg-hover touch:min-h-11 touch:items-center"
    >
      <Icon
        of={ChevronRight}
        size={14}
        className={classNames('self-center text-fg-3 transition-transform', open && 'rotate-90')}
      />
      <span className="shrink-0 text-fg-2">{verb}</span>
      <span className="min-w-0 flex-1 truncate font-mono text-code text-fg" title={target}>
        {target}
      </span>
      {outcome !== null && (
        <span className={classNames('shrink-0 text-meta', OUTCOME_COLOURS[outcome.tone])}>
          {outcome.tone === 'running' && (
            <span
              aria-hidden="true"
              className="mr-1.5 inline-block size-1.5 animate-pulse rounded-full bg-accent align-middle"
            />
          )}
          {outcome.word}
        </span>
      )}
      {durationMs !== null && (
        <span className="tabular w-14 shrink-0 text-right text-fg-3 text-meta">
          {formatDuration(durationMs)}
        </span>
      )}
    </button>
  );
}

function outcomeOf(item: ToolItem, running: boolean): ToolOutcome | null {
  switch (item.status) {
    case 'ok':
      return item.exitCode === null || item.exitCode === 0
        ? null
        : { word: `exit ${item.exitCode}`, tone: 'warn' };
    case 'error':
      return { word: item.exitCode === null ? 'failed' : `failed, exit ${item.exitCode}`, tone: 'del' };
    case 'denied':
      return { word: 'denied', tone: 'warn' };
    case 'interrupted':
      return { word: 'interrupted', tone: 'warn' };
    case 'pending':
      return running ? { word: 'running', tone: 'running' } : { word: 'no result', tone: 'quiet' };
  }
}

/** The last lines of a running command, so that it can be watched without unfolding. */
function LiveOutput({ text }: { readonly text: string }) {
  const tail = text
    .slice(-2000)
    .trimEnd()
    .split('\n')
    .slice(-4)
    .join('\n')
    .replace(/^\s*\n/, '');
  return (
    <pre className="ml-5 overflow-hidden whitespace-pre-wrap break-all border-line border-l pl-2.5 text-code text-fg-2">
      {tail}
    </pre>
  );
}

function ToolDetail({ item, liveOutput }: { readonly item: ToolItem; readonly liveOutput: string | null }) {
  const { openFile } = useServices();
  const { edit, output, decision } = item;
  return (
    <div className="my-1 ml-[7px] flex flex-col gap-2 border-line border-l pl-3.5">
      {edit === null ? <Input item={item} /> : <EditDiff edit={edit} onOpen={openFile} />}
      {decision !== null && <p className="text-fg-2 text-ui">{decisionWords(decision)}</p>}
      {output !== null && output !== '' && (
        <Section title={item.status === 'error' ? 'Error' : 'Output'}>
          <SpillView content={output} language={outputLanguage(item)} />
        </Section>
      )}
      {output === '' && <p className="text-fg-3 text-ui">No output.</p>}
      {output === null && liveOutput !== null && liveOutput !== '' && (
        <Section title="Output so far">
          <pre className="max-h-96 overflow-auto whitespace-pre-wrap break-all text-code">{liveOutput}</pre>
        </Section>
      )}
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="text-fg-3 text-meta">{title}</p>
      {children}
    </div>
  );
}

function Input({ item }: { readonly item: ToolItem }) {
  if (item.inputSpill !== null) {
    return (
      <Section title="Input">
        <SpillView content={item.inputSpill} />
      </Section>
    );
  }
  if (item.input === null || item.input === undefined) return null;
  const isCommand = item.verb === 'run' && !item.target.endsWith('…');
  const command = isCommand ? commandOf(item.input) : null;
  return (
    <Section title={command === null ? 'Input' : 'Command'}>
      <SpillView
        content={command ?? JSON.stringify(item.input, null, 2)}
        language={command === null ? 'json' : 'bash'}
      />
    </Section>
  );
}

function commandOf(input: unknown): string | null {
  const command = typeof input === 'object' && input !== null && 'command' in input ? input.command : null;
  return typeof command === 'string' ? command : null;
}

function EditDiff({
  edit,
  onOpen,
}: {
  readonly edit: ToolEdit;
  readonly onOpen: ((path: string) => void) | undefined;
}) {
  return (
    <div className="overflow-hidden rounded-control border border-line">
      <div className="flex h-7 items-center gap-2 border-line border-b bg-sunken px-2.5">
        <span className="min-w-0 flex-1 truncate font-mono text-code">{edit.path}</span>
        {onOpen !== undefined && (
          <button
            type="button"
            onClick={() => onOpen(edit.path)}
            className="rounded px-1 text-fg-2 text-meta hover:bg-hover hover:text-fg"
          >
            Open in editor
          </button>
        )}
      </div>
      {edit.changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the changes of a call never move
        <Change key={index} change={change} path={edit.path} />
      ))}
    </div>
  );
}

interface ChangeProps {
  readonly change: ToolEdit['changes'][number];
  readonly path: string;
}

function Change({ change: { before, after }, path }: ChangeProps) {
  return <LazyDiff before={before} after={after} label={path} snippet={before !== null} />;
}

function outputLanguage(item: ToolItem): string | undefined {
  return item.verb === 'read' ? languageOfPath(item.target) : undefined;
}

function decisionWords({ allowed, by, rule, reason }: NonNullable<ToolItem['decision']>): string {
  const who = {
    user: 'you',
    rule: rule === null ? 'a rule' : `the rule ${rule}`,
    hook: 'a hook',
    mode: 'the mode',
  }[by];
  return `${allowed ? 'Allowed' : 'Denied'} by ${who}${reason === null ? '' : `: ${reason}`}.`;
}
