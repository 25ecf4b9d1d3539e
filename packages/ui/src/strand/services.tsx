/**
 * What the rows of a transcript need from outside: how to load a spill, open a file, act on a turn. One
 * context, so that a row deep in a turn does not need ten props passed down; its value should be stable.
 */
import type { TurnBlock } from '@skein/core/document/blocks';
import type { ActionState } from '@skein/core/protocol/restore';
import type { OpId, TurnId } from '@skein/core/record/ids';
import { createContext, use } from 'react';

/** One answer of `strands.spill`. */
export interface SpillChunk {
  readonly b64: string;
  readonly end: boolean;
}

/** A button whose callback is missing is not shown. */
export interface TurnActions {
  readonly onUndo?: ((turn: TurnId) => void) | undefined;
  readonly onRedo?: ((op: OpId) => void) | undefined;
  readonly onFork?: ((turn: TurnId) => void) | undefined;
  readonly onRewind?: ((turn: TurnId) => void) | undefined;
  readonly onCopyLink?: ((turn: TurnId) => void) | undefined;
  /** Files as they were at the end of the turn. */
  readonly onRestoreTo?: ((turn: TurnId) => void) | undefined;
  readonly onShowChanges?: ((turn: TurnId) => void) | undefined;
  /** Sends the prompt of a failed turn again. */
  readonly onRetry?: ((block: TurnBlock) => void) | undefined;
}

export interface TranscriptServices {
  readonly loadSpill: (sha256: string, offset: number) => Promise<SpillChunk>;
  readonly openFile?: ((path: string, line?: number) => void) | undefined;
  readonly actions: TurnActions;
  /** What the bridge says is possible now; null while it is not known. */
  readonly actionState: ActionState | null;
  /** Name of the agent, for screen readers and the running line. */
  readonly agent: string;
}

const NONE: TranscriptServices = {
  loadSpill: () => Promise.reject(new Error('This part is not available here.')),
  actions: {},
  actionState: null,
  agent: 'The agent',
};

const ServicesContext = createContext<TranscriptServices>(NONE);

export const TranscriptServicesProvider = ServicesContext.Provider;

export const useServices = (): TranscriptServices => use(ServicesContext);
