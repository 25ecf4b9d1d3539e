import { memo } from 'react';
import { markdownBlocks } from './markdown-blocks.ts';
import { definitionsOf, markdownTree } from './markdown-tree.ts';
import { MarkdownNodes } from './markdown-view.tsx';

export interface MarkdownProps {
  readonly text: string;
  /** Still growing: code is not highlighted before it is whole. */
  readonly streaming?: boolean | undefined;
}

/** Longer than this a single block is shown as it was written: parsers are quadratic on hostile text (T17). */
const MAX_BLOCK = 20_000;

/**
 * A text of a model or a person. No raw HTML, no remote content, links by an allow-list. Each block is
 * memoised, so that a stream costs only its last block.
 */
export const Markdown = memo(function Markdown({ text, streaming = false }: MarkdownProps) {
  const blocks = markdownBlocks(text);
  return (
    <div className="max-w-[76ch] break-words text-prose [&>*+*]:mt-3">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only grow at the end
        <Block key={index} text={block} open={streaming && index === blocks.length - 1} />
      ))}
    </div>
  );
});

const Block = memo(function Block({ text, open }: { readonly text: string; readonly open: boolean }) {
  if (text.length > MAX_BLOCK) return <p className="whitespace-pre-wrap">{text}</p>;
  const root = markdownTree(text);
  return (
    <div className="[&>*+*]:mt-3">
      <MarkdownNodes nodes={root.children} context={{ definitions: definitionsOf(root), streaming: open }} />
    </div>
  );
});
