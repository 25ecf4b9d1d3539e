/**
 * Undo and redo, step by step: a preview that writes nothing, then apply with the plan's hash. When files
 * moved in between, the preview is made anew and the person looks again.
 */
import type { RestoreRequest, RestoreResult } from '@skein/core/protocol/restore';
import type { TurnId } from '@skein/core/record/ids';
import { promptText } from '@skein/core/strand/prompts';
import { chosenRequest, EVERYTHING, isPart, type Selection } from '@skein/ui/restore/selection.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problem, problemOf } from '../../bridge/problem.ts';
import { useWorkbench, type Workbench } from '../../state/workbench.ts';
import type { StrandFeed } from '../../sync/strand-feed.ts';

export interface RestoreFlow {
  readonly request: RestoreRequest;
  readonly change: (request: RestoreRequest) => void;
  /** Everything that there is to choose from. */
  readonly preview: RestoreResult | null;
  /** What of it is chosen, as the bridge would do it; null while that is asked for, or when nothing is. */
  readonly chosen: RestoreResult | null;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  readonly isLoading: boolean;
  readonly isApplying: boolean;
  /** Of the preview, or of an apply that failed. */
  readonly problem: Problem | null;
  /** What became of the files, when it is not known that nothing was written. */
  readonly kept: string | undefined;
  /** Files moved since the preview: it was made anew. */
  readonly isStale: boolean;
  readonly lookAgain: () => void;
  readonly apply: () => void;
}

/** The bridge went away while it restored: nobody here knows how far it came. */
const CUT_OFF =
  'It may have begun. What was cut off is finished when the bridge is back, and told in the session; no version is lost.';

const MOVED_ON: Problem = {
  code: 'stale_plan',
  message: 'This turn was undone or redone meanwhile, in another window or by a command.',
  next: 'Close this and look at the session as it is now.',
  data: {},
  details: '',
};

export function useRestoreFlow(first: RestoreRequest, onDone: () => void): RestoreFlow {
  const workbench = useWorkbench();
  const { trpc, queries } = workbench.bridge;
  const [request, setRequest] = useState(first);
  const [isStale, setStale] = useState(false);
  const preview = useQuery(
    trpc.restore.preview.queryOptions(request, { staleTime: 0, gcTime: 0, retry: false }),
  );
  const [selection, setSelection] = useState(EVERYTHING);
  const chosen = useChosen({ request, preview: preview.data, selection });
  const [isGone, setGone] = useState(false);
  /** "The newest" is another turn once somebody else undid the one that the person chose. */
  const lookAgain = () => {
    const chosen = preview.data?.turns.join();
    preview
      .refetch()
      .then(({ data }) => {
        if (chosen !== undefined && data !== undefined && data.turns.join() !== chosen) setGone(true);
      })
      .catch(reportError);
  };
  const apply = useMutation(
    trpc.restore.carryOut.mutationOptions({
      onSuccess: (result) => {
        const options = trpc.restore.preview.queryOptions(request);
        // A conflict that appeared in between: nothing was written, and it is shown like any other.
        if (!result.applied) queries.setQueryData(options.queryKey, result);
        else {
          tellDone(workbench, { ...request, scope: result.scope }, result);
          onDone();
        }
      },
      onError: (error) => {
        if (problemOf(error).code !== 'stale_plan') return;
        setStale(true);
        lookAgain();
      },
    }),
  );
  const failed = preview.error ?? chosen.error ?? (isStale ? null : apply.error);
  return {
    request,
    change: (next) => {
      setStale(false);
      setGone(false);
      apply.reset();
      setSelection(EVERYTHING);
      setRequest(next);
    },
    preview: preview.data ?? null,
    chosen: chosen.result,
    selection,
    select: (next) => {
      setStale(false);
      apply.reset();
      setSelection(next);
    },
    isLoading: preview.isFetching || chosen.isLoading,
    isApplying: apply.isPending,
    problem: isGone ? MOVED_ON : failed === null ? null : problemOf(failed),
    kept:
      preview.error === null && apply.error !== null && problemOf(apply.error).code === 'offline'
        ? CUT_OFF
        : undefined,
    isStale,
    lookAgain,
    apply: () => {
      if (chosen.request === null || chosen.result === null || isGone) return;
      setStale(false);
      apply.mutate({ ...chosen.request, plan: chosen.result.plan });
    },
  };
}

interface Chosen {
  /** Null when nothing is chosen. */
  readonly request: RestoreRequest | null;
  readonly result: RestoreResult | null;
  readonly isLoading: boolean;
  readonly error: unknown;
}

/** A part, or a choice, has a plan of its own: what is applied is what this preview of it says. */
function useChosen(asked: {
  readonly request: RestoreRequest;
  readonly preview: RestoreResult | undefined;
  readonly selection: Selection;
}): Chosen {
  const { trpc } = useWorkbench().bridge;
  const { preview, selection } = asked;
  const isWhole = !isPart(selection) && selection.choices.size === 0;
  const request = preview === undefined ? null : chosenRequest(asked.request, preview, selection);
  const query = useQuery(
    trpc.restore.preview.queryOptions(request ?? asked.request, {
      staleTime: 0,
      gcTime: 0,
      retry: false,
      enabled: request !== null && !isWhole,
    }),
  );
  if (isWhole) return { request, result: preview ?? null, isLoading: false, error: null };
  if (request === null) return { request, result: null, isLoading: false, error: null };
  return { request, result: query.data ?? null, isLoading: query.isFetching, error: query.error };
}

/** Says what was done, offers the way back, and gives the prompt's text back to the composer. */
function tellDone({ ui, page, strands }: Workbench, request: RestoreRequest, result: RestoreResult): void {
  const { strand, scope } = request;
  const count = result.files.filter(({ action }) => action !== 'nothing').length;
  const files = count === 1 ? '1 file' : `${count} files`;
  if (result.draft !== undefined) giveBack(page, strand, result.draft);
  if (request.direction === 'redo') {
    if (result.scope !== 'files')
      for (const text of promptsOf(strands.open(strand), result.turns)) takeFromDraft(page, strand, text);
    const text = result.scope === 'chat' ? 'The turn is back in the conversation.' : `Redone: ${files}.`;
    ui.say({ tone: 'done', text });
    return;
  }
  const { op } = result;
  ui.say({
    tone: 'done',
    text: scope === 'chat' ? 'The turn was taken out of the conversation.' : `Undone: ${files}.`,
    action: {
      label: 'Redo',
      run: () =>
        ui.open({
          kind: 'restore',
          request: { strand, direction: 'redo', scope, ...(op === undefined ? {} : { op }) },
        }),
    },
  });
}

function promptsOf(feed: StrandFeed, turns: readonly TurnId[]): readonly string[] {
  const nodes = feed.view.get().state?.nodes;
  return turns.flatMap((turn) => {
    const record = nodes?.get(turn)?.record;
    return record?.kind === 'message' ? [promptText(record)] : [];
  });
}

/** The undo had put the prompt there; left lying, one Enter would run the turn a second time. */
function takeFromDraft(page: Workbench['page'], strand: string, text: string): void {
  const now = page.drafts.get()[strand] ?? '';
  if (now === text) page.setDraft(strand, '');
  else if (now.startsWith(`${text}\n\n`)) page.setDraft(strand, now.slice(text.length + 2));
}

/** What is in the composer already is never lost: the prompt's text comes before it. */
function giveBack(page: Workbench['page'], strand: string, text: string): void {
  const now = page.drafts.get()[strand] ?? '';
  if (now.trim() === '') page.setDraft(strand, text);
  else if (!now.includes(text)) page.setDraft(strand, `${text}\n\n${now}`);
}
