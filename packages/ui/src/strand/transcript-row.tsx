import type { LineItem, TranscriptBlock } from '@skein/core/document/blocks';
import type { PermissionRequest } from '@skein/core/protocol/turns';
import { contentHead } from '@skein/core/record/parts';
import { memo } from 'react';
import { classNames } from '../class-names.ts';
import { LineRow } from './line-row.tsx';
import type { PermissionDecision } from './permission-card.tsx';
import { TurnBlock } from './turn-block.tsx';

const NONE: readonly PermissionRequest[] = [];

export interface TranscriptRowProps {
  readonly measure: (element: HTMLElement | null) => void;
  readonly block: TranscriptBlock;
  readonly index: number;
  /** Pixels from the top of the list. */
  readonly start: number;
  /** Of all rows; -1 when it is not known. */
  readonly count: number;
  /** Just jumped to. */
  readonly flash: boolean;
  readonly permissions: readonly PermissionRequest[] | undefined;
  readonly onDecide: (request: PermissionRequest, decision: PermissionDecision) => void;
  readonly following: boolean;
}

/** One row of the virtual list: a turn, or lines between two turns. */
export const TranscriptRow = memo(function TranscriptRow(props: TranscriptRowProps) {
  const { measure, block, index, start, count, flash, permissions = NONE, onDecide, following } = props;
  return (
    <article
      ref={measure}
      data-index={index}
      data-testid={block.kind === 'turn' ? 'turn' : 'lines'}
      data-turn={block.kind === 'turn' ? (block.turn ?? undefined) : undefined}
      tabIndex={-1}
      aria-posinset={count === -1 ? undefined : index + 1}
      aria-setsize={count}
      aria-label={labelOf(block)}
      className="absolute top-0 left-0 w-full px-4 pb-6 outline-none md:px-6"
      style={{ transform: `translateY(${start}px)` }}
    >
      <div
        className={classNames(
          'relative mx-auto w-full max-w-220 before:absolute before:inset-y-0 before:-left-3 before:w-0.5 before:rounded',
          flash ? 'before:bg-accent' : 'in-focus-visible:before:bg-focus',
        )}
      >
        {block.kind === 'turn' ? (
          <TurnBlock block={block} permissions={permissions} onDecide={onDecide} following={following} />
        ) : (
          mergeSettings(block.lines).map((line) => <LineRow key={line.key} line={line} />)
        )}
      </div>
    </article>
  );
});

/** Settings that were changed together are one line. */
function mergeSettings(lines: readonly LineItem[]): readonly LineItem[] {
  const merged: LineItem[] = [];
  for (const line of lines) {
    const last = merged.at(-1);
    if (last?.tone === 'setting' && line.tone === 'setting') {
      merged.splice(-1, 1, { ...last, text: `${last.text}, ${line.text}` });
    } else merged.push(line);
  }
  return merged;
}

function labelOf(block: TranscriptBlock): string {
  if (block.kind === 'lines') return 'Between turns';
  const text = block.prompt?.text.map(contentHead).join(' ').replace(/\s+/g, ' ').slice(0, 80) ?? '';
  const number = block.number === null ? 'Turn' : `Turn ${block.number}`;
  return text === '' ? number : `${number}: ${text}`;
}

/** Questions by the block that shows them; one whose turn is not loaded stands at the end. */
export function permissionsByBlock(
  blocks: readonly TranscriptBlock[],
  permissions: readonly PermissionRequest[],
): ReadonlyMap<string, readonly PermissionRequest[]> {
  const last = blocks.findLast((block) => block.kind === 'turn')?.id;
  const known = new Set(blocks.map((block) => block.id));
  const grouped = new Map<string, PermissionRequest[]>();
  for (const request of permissions) {
    const id = known.has(request.turn) ? request.turn : last;
    if (id === undefined) continue;
    grouped.set(id, [...(grouped.get(id) ?? []), request]);
  }
  return grouped;
}
