import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { ScrollBox } from '../primitives/scroll-box.tsx';
import { CodeBlock } from './code-block.tsx';
import { markdownBlocks } from './markdown-blocks.ts';
import { MarkdownImage, MarkdownLink } from './markdown-link.tsx';

export interface MarkdownProps {
  readonly text: string;
  /** Still growing: code is not highlighted before it is whole. */
  readonly streaming?: boolean | undefined;
}

/** Longer than this a single block is shown as it was written: parsers are quadratic on hostile text (T17). */
const MAX_BLOCK = 20_000;
const PLUGINS: NonNullable<Options['remarkPlugins']> = [[remarkGfm, { singleTilde: false }]];

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
  return (
    <div className="[&>*+*]:mt-3">
      <ReactMarkdown remarkPlugins={PLUGINS} components={open ? STREAMING : SETTLED} urlTransform={keepUrl}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** Links and images decide for themselves what is safe; nothing else of markdown has an address. */
function keepUrl(url: string): string {
  return url;
}

interface CodeProps {
  readonly className?: string | undefined;
  readonly children?: ReactNode;
  readonly plain: boolean;
}

function Code({ className, children, plain }: CodeProps) {
  const language = /language-([\w+#.-]{1,40})/.exec(className ?? '')?.[1];
  const text = textOf(children);
  const isBlock = language !== undefined || text.includes('\n');
  if (isBlock) return <CodeBlock code={text.replace(/\n$/, '')} language={language} plain={plain} />;
  return (
    <code className="rounded bg-sunken px-1 py-px text-[0.92em] ring-1 ring-line ring-inset">{children}</code>
  );
}

const BASE: Components = {
  a: ({ href, children }) => <MarkdownLink href={href ?? ''}>{children}</MarkdownLink>,
  img: ({ src, alt }) => <MarkdownImage src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  pre: ({ children }) => <>{children}</>,
  p: ({ children }) => <p className="text-pretty">{children}</p>,
  h1: ({ children }) => <Heading>{children}</Heading>,
  h2: ({ children }) => <Heading>{children}</Heading>,
  h3: ({ children }) => <Heading>{children}</Heading>,
  h4: ({ children }) => <Heading>{children}</Heading>,
  h5: ({ children }) => <Heading>{children}</Heading>,
  h6: ({ children }) => <Heading>{children}</Heading>,
  ul: ({ children }) => <ul className="list-disc space-y-1 pl-5 marker:text-fg-3">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="tabular list-decimal space-y-1 pl-6 marker:text-fg-3">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="pl-0.5 [&>*+*]:mt-1.5">{children}</li>,
  blockquote: ({ children }) => (
    <blockquote className="border-line border-l-2 pl-3 text-fg-2">{children}</blockquote>
  ),
  hr: () => <hr className="border-line" />,
  strong: ({ children }) => <strong className="font-semibold">{children}</strong>,
  table: ({ children }) => (
    <ScrollBox label="Table" className="rounded-control border border-line">
      <table className="w-full border-collapse text-left text-ui [&_tr+tr]:border-line [&_tr+tr]:border-t">
        {children}
      </table>
    </ScrollBox>
  ),
  thead: ({ children }) => <thead className="border-line border-b bg-sunken">{children}</thead>,
  th: ({ children, style }) => (
    <th style={style} className="px-2.5 py-1 font-medium">
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td style={style} className="px-2.5 py-1 align-top">
      {children}
    </td>
  ),
  input: ({ checked }) => (
    <input
      type="checkbox"
      checked={checked === true}
      readOnly
      disabled
      aria-label={checked === true ? 'done' : 'open'}
      className="mr-1.5 align-[-2px]"
    />
  ),
};

const SETTLED: Components = {
  ...BASE,
  code: ({ className, children }) => (
    <Code className={className} plain={false}>
      {children}
    </Code>
  ),
};
const STREAMING: Components = {
  ...BASE,
  code: ({ className, children }) => (
    <Code className={className} plain>
      {children}
    </Code>
  ),
};

/** Headings of a message are no headings of the page. */
function Heading({ children }: { readonly children?: ReactNode }) {
  return <p className="pt-1 font-semibold text-title">{children}</p>;
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  return Array.isArray(node) ? node.map(textOf).join('') : '';
}
