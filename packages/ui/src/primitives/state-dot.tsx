import { classNames } from '../class-names.ts';

export type StateKind = 'running' | 'waiting' | 'failed' | 'interrupted' | 'idle' | 'readonly' | 'unreadable';

export const STATE_WORDS: Record<StateKind, string> = {
  running: 'running',
  waiting: 'waits for you',
  failed: 'failed',
  interrupted: 'interrupted',
  idle: 'done',
  readonly: 'read-only',
  unreadable: 'cannot be read',
};

export interface StateDotProps {
  readonly state: StateKind;
  /** Show the word beside the shape; otherwise it is for screen readers only. */
  readonly word?: boolean | undefined;
}

const COLOURS: Record<StateKind, string> = {
  running: 'text-accent-text',
  waiting: 'text-warn',
  failed: 'text-del',
  interrupted: 'text-fg-3',
  idle: 'text-fg-3',
  readonly: 'text-fg-3',
  unreadable: 'text-del',
};

/** A state as a shape of its own and a word: the colour only repeats them. */
export function StateDot({ state, word = false }: StateDotProps) {
  return (
    <span className={classNames('inline-flex items-center gap-1.5', COLOURS[state])}>
      <svg viewBox="0 0 12 12" className="size-3 shrink-0" aria-hidden="true" data-state-shape={state}>
        <Shape state={state} />
      </svg>
      <span className={word ? 'text-meta' : 'sr-only'}>{STATE_WORDS[state]}</span>
    </span>
  );
}

const STROKE = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round' } as const;

function Shape({ state }: { readonly state: StateKind }) {
  switch (state) {
    case 'running':
      return <circle cx="6" cy="6" r="4" fill="currentColor" className="animate-pulse" />;
    case 'waiting':
      return (
        <>
          <circle cx="6" cy="6" r="4.25" {...STROKE} />
          <path d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" fill="currentColor" />
        </>
      );
    case 'failed':
      return <path d="M3 3l6 6M9 3l-6 6" {...STROKE} />;
    case 'unreadable':
      return (
        <path d="M6 1.8l4.6 8.2H1.4zM6 5v2.2M6 8.6v.1" {...STROKE} strokeLinejoin="round" strokeWidth={1.2} />
      );
    case 'interrupted':
      return <path d="M4.2 3v6M7.8 3v6" {...STROKE} />;
    case 'readonly':
      return <path d="M3 5.5h6v4.2H3zM4.2 5.3V4a1.8 1.8 0 0 1 3.6 0v1.3" {...STROKE} strokeWidth={1.2} />;
    case 'idle':
      return <circle cx="6" cy="6" r="3.25" {...STROKE} />;
  }
}
