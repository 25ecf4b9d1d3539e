/**
 * Everything the API can ask for, one function a verb. `compose/wire-flows.ts` wires the flows of `flows/` to it; routers
 * parse, call one of these and map errors.
 */

import type { SettingsPatch } from '@skein/core/config/personal';
import type { AgentInfo, BrowserKey, doctorSchema, Settings } from '@skein/core/protocol/agents';
import type { GlobalEvent, Job, PageState, StrandEvent } from '@skein/core/protocol/events';
import type {
  HistoryDetail,
  HistoryList,
  HistoryPlaces,
  historyContinueInputSchema,
  historyListInputSchema,
  historyPlaceInputSchema,
  VaultStatus,
} from '@skein/core/protocol/history';
import type { Blame, FilesAt, VersionAt } from '@skein/core/protocol/past';
import type {
  ActionState,
  ApplyRequest,
  FileAt,
  Operation,
  RestoreRequest,
  RestoreResult,
  TurnDiff,
} from '@skein/core/protocol/restore';
import type { SearchOutput, searchInputSchema } from '@skein/core/protocol/search';
import type { StoreCleanup, StoreUsage } from '@skein/core/protocol/store';
import type {
  createInputSchema,
  lintOutputSchema,
  listInputSchema,
  listOutputSchema,
  StrandSummary,
  StrandWindow,
  selectorInputSchema,
  showOutputSchema,
} from '@skein/core/protocol/strands';
import type {
  decideOutputSchema,
  PromptInput,
  promptOutputSchema,
  QueuedPrompt,
} from '@skein/core/protocol/turns';
import type { RecordId, StrandId, TurnId } from '@skein/core/record/ids';
import type { z } from 'zod';
import type { ContextFile, DemoStart, EditorTarget, FolderListing, SystemInfo } from './shapes.ts';

export interface Flows {
  search(input: z.output<typeof searchInputSchema>): Promise<SearchOutput>;
  readonly strands: {
    list(input: z.output<typeof listInputSchema>): Promise<z.infer<typeof listOutputSchema>>;
    resolve(input: z.infer<typeof selectorInputSchema>): Promise<StrandSummary>;
    create(input: z.infer<typeof createInputSchema>): Promise<StrandSummary>;
    window(input: { strand: StrandId; before?: number | undefined; turns: number }): Promise<StrandWindow>;
    show(input: { strand: StrandId; context: boolean }): Promise<z.infer<typeof showOutputSchema>>;
    name(input: { strand: StrandId; name: string }): Promise<StrandSummary>;
    flag(input: {
      strand: StrandId;
      archived?: boolean | undefined;
      pinned?: boolean | undefined;
    }): Promise<StrandSummary>;
    set(input: { strand: StrandId; setting: string; value: string | null }): Promise<StrandSummary>;
    lint(input: { strand: StrandId }): Promise<z.infer<typeof lintOutputSchema>>;
    acceptBadLines(input: { strand: StrandId }): Promise<StrandSummary>;
    spill(input: {
      strand: StrandId;
      sha256: string;
      offset: number;
      limit: number;
    }): Promise<{ b64: string; bytes: number; end: boolean }>;
  };
  readonly turns: {
    prompt(input: PromptInput): Promise<z.infer<typeof promptOutputSchema>>;
    interrupt(input: { strand: StrandId }): Promise<{ interrupted: boolean }>;
    decide(input: {
      id: string;
      strand: StrandId;
      decision: 'allow' | 'always' | 'deny';
      reason?: string | undefined;
    }): Promise<z.infer<typeof decideOutputSchema>>;
    queue(input: { strand: StrandId }): Promise<readonly QueuedPrompt[]>;
    editQueued(input: {
      strand: StrandId;
      id: string;
      text: string | null;
    }): Promise<readonly QueuedPrompt[]>;
  };
  readonly restore: {
    preview(input: RestoreRequest): Promise<RestoreResult>;
    apply(input: ApplyRequest): Promise<RestoreResult>;
    actions(input: { strand: StrandId }): Promise<ActionState>;
    diff(input: { strand: StrandId; turn?: TurnId | undefined }): Promise<TurnDiff>;
    file(input: { strand: StrandId; path: string; at: RecordId }): Promise<FileAt>;
    operations(input: { strand: StrandId }): Promise<{ operations: Operation[] }>;
  };
  readonly history: {
    list(input: z.output<typeof historyListInputSchema>): Promise<HistoryList>;
    open(input: { session: StrandId }): Promise<HistoryDetail>;
    continue(input: z.infer<typeof historyContinueInputSchema>): Promise<StrandSummary>;
    places(): Promise<HistoryPlaces>;
    addPlace(input: z.infer<typeof historyPlaceInputSchema>): Promise<HistoryPlaces>;
    removePlace(input: z.infer<typeof historyPlaceInputSchema>): Promise<HistoryPlaces>;
    vault(): Promise<VaultStatus>;
    setVault(input: { on: boolean }): Promise<VaultStatus>;
    restoreFromVault(input: {
      session: StrandId;
      to?: string | undefined;
    }): Promise<{ path: string; bytes: number }>;
  };
  readonly store: {
    usage(): Promise<StoreUsage>;
    gc(): Promise<StoreCleanup>;
    purge(input: { key?: string | undefined }): Promise<StoreCleanup>;
  };
  readonly agents: { list(): Promise<readonly AgentInfo[]> };
  readonly files: {
    folders(input: { path: string | null }): Promise<FolderListing>;
    mentions(input: { strand: StrandId; query: string }): Promise<readonly ContextFile[]>;
    at(input: { strand: StrandId; at: RecordId }): Promise<FilesAt>;
    versionAt(input: { strand: StrandId; at: RecordId; path: string }): Promise<VersionAt>;
    blame(input: { path: string }): Promise<Blame>;
    openInEditor(input: EditorTarget): Promise<{ opened: boolean; command: string }>;
  };
  readonly settings: {
    get(): Promise<Settings>;
    set(input: { patch: SettingsPatch }): Promise<Settings>;
    setKey(input: { provider: string; key: string | null }): Promise<Settings>;
    testProvider(input: {
      provider: string;
    }): Promise<{ ok: boolean; message: string; models: readonly string[] }>;
    browserKeys(input: { current: string | null }): Promise<readonly BrowserKey[]>;
    revokeKey(input: { id: string }): Promise<{ revoked: boolean }>;
  };
  readonly jobs: {
    list(): Promise<readonly Job[]>;
    cancel(input: { id: string }): Promise<{ cancelled: boolean }>;
  };
  readonly page: {
    get(): Promise<PageState>;
    set(input: {
      tabs?: readonly StrandId[] | undefined;
      draft?: { strand: string; text: string } | undefined;
    }): Promise<PageState>;
  };
  readonly demo: { start(): Promise<DemoStart> };
  readonly system: {
    info(): Promise<SystemInfo>;
    doctor(): Promise<z.infer<typeof doctorSchema>>;
    /** A fresh opening link for a browser: one-time code in the fragment, 60 s. */
    openingLink(): Promise<{ url: string }>;
    stop(): Promise<{ stopping: boolean }>;
  };
  readonly events: {
    strand(
      input: { strand: StrandId; after: string | null },
      signal: AbortSignal,
    ): AsyncIterable<{ cursor: string | null; event: StrandEvent }>;
    all(signal: AbortSignal): AsyncIterable<GlobalEvent>;
  };
}
