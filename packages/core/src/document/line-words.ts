/** Records that are one line of a transcript, in words. */
import { showPath } from '../record/path-ref.ts';
import type { Coverage, RecordOf, StrandRecord } from '../record/schema.ts';
import type { BadLine, Gap, StrandNode } from '../strand/state.ts';
import { oneLine, truncate } from '../text/truncate.ts';
import type { LineItem, LineTone } from './blocks.ts';

type Words = Pick<LineItem, 'tone' | 'text'> & Partial<Pick<LineItem, 'detail'>>;

/** Null for records that a transcript does not show as a line of their own. */
export const recordLine = (node: StrandNode): LineItem | null => {
  const words = node.record === null ? newerWords(node.kind) : recordWords(node.record);
  return words === null ? null : lineItem(node, words);
};

export const gapLine = (gap: Gap): LineItem => ({
  kind: 'line',
  key: `gap-${gap.seq}`,
  seq: gap.seq,
  at: null,
  tone: 'warning',
  text:
    gap.reason === 'parent_missing'
      ? 'A record before this one is missing. What follows is complete.'
      : 'Two writers met here. Both wrote; the order of the file is shown.',
  detail: null,
});

export const badLine = (bad: BadLine): LineItem => ({
  kind: 'line',
  key: `bad-${bad.seq}`,
  seq: bad.seq,
  at: null,
  tone: 'warning',
  text: badWords(bad),
  detail: bad.reason,
});

/** What an undo of this turn cannot bring back; empty when everything is covered. */
export const coverageWords = (coverage: Coverage, external: readonly string[] = []): readonly string[] => {
  const effects =
    external.length === 0 ? [] : ['Commands of this turn reached further than undo does.', ...external];
  if (coverage.level === 'full') return effects;
  const summary =
    coverage.level === 'none'
      ? 'The file changes of this turn cannot be undone.'
      : 'The files listed here can be undone; what commands changed besides is not covered.';
  return [summary, ...coverage.reasons, ...effects];
};

function lineItem({ id, seq, at }: StrandNode, { tone, text, detail = null }: Words): LineItem {
  return { kind: 'line', key: id, seq, at, tone, text, detail };
}

function badWords({ seq, accepted, kind }: BadLine): string {
  if (accepted === 'sealed')
    return `Line ${seq} was cut off by a crash and was closed; nothing after it is lost.`;
  const what = kind === 'duplicate' ? 'repeats an id and is skipped' : 'cannot be read and is skipped';
  return accepted === 'user' ? `Line ${seq} ${what}; you accepted it.` : `Line ${seq} ${what}.`;
}

function newerWords(kind: string): Words {
  return {
    tone: 'newer',
    text: `Newer record (${truncate(oneLine(kind), 40)}): kept, not understood by this version.`,
  };
}

function recordWords(record: StrandRecord): Words | null {
  switch (record.kind) {
    case 'header':
      return originWords(record);
    case 'change':
      return changeWords(record);
    case 'digest':
      return { tone: 'context', text: digestText(record), detail: record.summary };
    case 'boundary':
      return { tone: 'context', text: 'Context cleared here: the agent no longer sees what is above.' };
    case 'custom':
      return record.type.startsWith('x.skein.') ? null : { tone: 'newer', text: customText(record) };
    case 'tip':
      return { tone: 'move', text: TIP_WORDS[record.reason] };
    case 'restore':
      return restoreWords(record);
    default:
      // message, turn, usage and decision are part of a turn; name, flag and recovery are shown elsewhere.
      return null;
  }
}

const TIP_WORDS: Record<RecordOf<'tip'>['reason'], string> = {
  offshoot: 'The conversation moved back; what came after is kept beside it.',
  rewind: 'The conversation moved back to an earlier turn.',
  go: 'The conversation went on from another place.',
  redo: 'The conversation moved forward again.',
};

const VIA_WORDS: Record<NonNullable<RecordOf<'header'>['origin']>['via'], string> = {
  split: 'Forked from session',
  transfer: 'Handed over from session',
  subagent: 'Started by an agent in session',
  worktree: 'Started in its own worktree from session',
  import: 'Imported from session',
};

function originWords({ origin }: RecordOf<'header'>): Words | null {
  return origin === null
    ? null
    : { tone: 'origin', text: `${VIA_WORDS[origin.via]} ${origin.strand.slice(0, 8)}.` };
}

function changeWords({ setting, value, by }: RecordOf<'change'>): Words {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  const who = by === 'agent' ? ' (by the agent)' : '';
  return {
    tone: 'setting',
    text: `${oneLine(setting).slice(0, 60)} is now ${truncate(oneLine(shown), 120)}${who}`,
  };
}

function digestText({ trigger, tokensBefore, tokensAfter }: RecordOf<'digest'>): string {
  const saved =
    tokensBefore === undefined || tokensAfter === undefined
      ? ''
      : `, ${tokensBefore.toLocaleString('en')} to ${tokensAfter.toLocaleString('en')} tokens`;
  const why = trigger === 'transfer' ? 'for the handover' : 'to make room';
  return `Earlier turns were summarised ${why}${saved}. They stay readable here.`;
}

function customText({ type }: RecordOf<'custom'>): string {
  return `Record of ${truncate(oneLine(type.replace(/^x\./, '')), 60)}: kept, not shown.`;
}

const DIRECTION_WORDS: Record<RecordOf<'restore'>['direction'], string> = {
  undo: 'Undone',
  redo: 'Redone',
  restore: 'Restored',
};

function restoreWords({ direction, scope, files, undoes }: RecordOf<'restore'>): Words {
  const turns = 'turns' in undoes ? undoes.turns.length : 0;
  const what = [turns > 1 ? `${turns} turns` : '', scope === 'chat' ? 'conversation only' : filesText(files)];
  const left = files.filter(({ result }) => result === 'left').length;
  const kept = left === 0 ? '' : `; ${left} left as you have ${left === 1 ? 'it' : 'them'}`;
  const detail = files.map(
    ({ path, action, result }) => `${result === 'done' ? action : result}  ${showPath(path)}`,
  );
  return {
    tone: 'restore' satisfies LineTone,
    text: `${DIRECTION_WORDS[direction]}: ${what.filter((part) => part !== '').join(', ')}${kept}`,
    detail: detail.length === 0 ? null : detail.join('\n'),
  };
}

function filesText(files: RecordOf<'restore'>['files']): string {
  const changed = files.filter(({ action, result }) => action !== 'nothing' && result === 'done').length;
  if (changed === 0) return 'no file had to change';
  return changed === 1 ? '1 file' : `${changed} files`;
}
