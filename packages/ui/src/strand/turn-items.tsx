import type { LiveView, TurnItem } from '@skein/core/document/blocks';
import { contentHead } from '@skein/core/record/parts';
import { memo } from 'react';
import { ErrorBox } from '../primitives/error-box.tsx';
import { LineRow } from './line-row.tsx';
import { Markdown } from './markdown.tsx';
import { ReadsGroup } from './reads-group.tsx';
import { SpillView } from './spill-view.tsx';
import { ToolCall } from './tool-call.tsx';
import { NoteRow, SteerRow, ThinkingRow } from './turn-notes.tsx';

export interface TurnItemsProps {
  readonly items: readonly TurnItem[];
  readonly running: boolean;
  readonly live: LiveView | null;
}

/** The items of a turn in order: text stands apart, lines of tools stand close together. */
export function TurnItems({ items, running, live }: TurnItemsProps) {
  return items.map((item, index) => (
    <div key={item.key} className={isTight(item, items[index - 1]) ? undefined : 'mt-3 first:mt-0'}>
      {item.kind === 'tool' ? (
        <ToolCall item={item} running={running} liveOutput={live?.outputs.get(item.call) ?? null} />
      ) : (
        <Item item={item} />
      )}
    </div>
  ));
}

const LINES = new Set<TurnItem['kind']>(['tool', 'reads', 'thinking', 'note', 'line']);

/** Two lines in a row need no space between them. */
function isTight(item: TurnItem, before: TurnItem | undefined): boolean {
  return before !== undefined && LINES.has(item.kind) && LINES.has(before.kind);
}

const Item = memo(function Item({ item }: { readonly item: Exclude<TurnItem, { kind: 'tool' }> }) {
  switch (item.kind) {
    case 'text':
      return typeof item.text === 'string' ? <Markdown text={item.text} /> : <LongText item={item} />;
    case 'thinking':
      return <ThinkingRow item={item} />;
    case 'reads':
      return <ReadsGroup item={item} />;
    case 'steer':
      return <SteerRow item={item} />;
    case 'note':
      return <NoteRow note={item} foldKey={item.key} />;
    case 'error':
      return (
        <ErrorBox
          happened={item.message}
          kept="What was said and done before is kept."
          details={item.message}
        />
      );
    case 'line':
      return <LineRow line={item} />;
  }
});

function LongText({ item }: { readonly item: Extract<TurnItem, { kind: 'text' }> }) {
  if (typeof item.text === 'string' || item.text.bytes === 0)
    return <Markdown text={contentHead(item.text)} />;
  return <SpillView content={item.text} />;
}
