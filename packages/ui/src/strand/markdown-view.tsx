import type { ReactNode } from 'react';
import { ScrollBox } from '../primitives/scroll-box.tsx';
import { CodeBlock } from './code-block.tsx';
import { MarkdownImage, MarkdownLink } from './markdown-link.tsx';
import { type MarkdownNode, type NodeOf, plainText } from './markdown-tree.ts';

export interface MarkdownContext {
  readonly definitions: ReadonlyMap<string, string>;
  /** Still growing: code is not highlighted before it is whole. */
  readonly streaming: boolean;
}

/** The nodes of a markdown tree as elements. A kind of node that is not named here is shown as its text. */
export function MarkdownNodes({
  nodes,
  context,
}: {
  readonly nodes: readonly MarkdownNode[];
  readonly context: MarkdownContext;
}) {
  return nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of a text have no identity but their place
    <MarkdownView key={index} node={node} context={context} />
  ));
}

interface ViewProps<T extends MarkdownNode = MarkdownNode> {
  readonly node: T;
  readonly context: MarkdownContext;
}

function MarkdownView({ node, context }: ViewProps): ReactNode {
  switch (node.type) {
    case 'paragraph':
      return <p className="text-pretty">{inside(node, context)}</p>;
    case 'heading':
      // Headings of a message are no headings of the page.
      return <p className="pt-1 font-semibold text-title">{inside(node, context)}</p>;
    case 'code':
      return <CodeBlock code={node.value} language={languageWord(node.lang)} plain={context.streaming} />;
    case 'list':
      return <List node={node} context={context} />;
    case 'listItem':
      return <ListItem node={node} context={context} />;
    case 'blockquote':
      return (
        <blockquote className="border-line border-l-2 pl-3 text-fg-2 [&>*+*]:mt-2">
          {inside(node, context)}
        </blockquote>
      );
    case 'thematicBreak':
      return <hr className="border-line" />;
    case 'table':
      return <Table node={node} context={context} />;
    case 'definition':
      return null;
    case 'footnoteDefinition':
      return (
        <div className="flex gap-2 text-fg-2 text-ui">
          <span>[{node.label ?? node.identifier}]</span>
          <div>{inside(node, context)}</div>
        </div>
      );
    default:
      return <Inline node={node} context={context} />;
  }
}

function Inline({ node, context }: ViewProps): ReactNode {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'emphasis':
      return <em>{inside(node, context)}</em>;
    case 'strong':
      return <strong className="font-semibold">{inside(node, context)}</strong>;
    case 'delete':
      return <del>{inside(node, context)}</del>;
    case 'inlineCode':
      return (
        <code className="rounded bg-sunken px-1 py-px text-[0.92em] ring-1 ring-line ring-inset">
          {node.value}
        </code>
      );
    case 'break':
      return <br />;
    case 'link':
      return (
        <MarkdownLink href={node.url} text={plainText(node)}>
          {inside(node, context)}
        </MarkdownLink>
      );
    case 'linkReference':
      return (
        <MarkdownLink href={hrefOf(node, context)} text={plainText(node)}>
          {inside(node, context)}
        </MarkdownLink>
      );
    case 'image':
      return <MarkdownImage src={node.url} alt={node.alt ?? ''} />;
    case 'imageReference':
      return <MarkdownImage src={hrefOf(node, context)} alt={node.alt ?? ''} />;
    case 'footnoteReference':
      return <sup className="text-fg-2">[{node.label ?? node.identifier}]</sup>;
    case 'html':
      return <span className="whitespace-pre-wrap">{node.value}</span>;
    default:
      return 'value' in node && typeof node.value === 'string' ? node.value : null;
  }
}

function inside(node: { readonly children: readonly MarkdownNode[] }, context: MarkdownContext): ReactNode {
  return <MarkdownNodes nodes={node.children} context={context} />;
}

function hrefOf({ identifier }: { readonly identifier: string }, { definitions }: MarkdownContext): string {
  return definitions.get(identifier.toLowerCase()) ?? '';
}

function languageWord(lang: string | null | undefined): string | undefined {
  return /^[\w+#.-]{1,40}/.exec(lang ?? '')?.[0];
}

function List({ node, context }: ViewProps<NodeOf<'list'>>) {
  const items = inside(node, context);
  if (node.ordered === true) {
    return (
      <ol start={node.start ?? 1} className="tabular list-decimal space-y-1 pl-6 marker:text-fg-3">
        {items}
      </ol>
    );
  }
  const isTasks = node.children.some((item) => typeof item.checked === 'boolean');
  return <ul className={isTasks ? 'space-y-1' : 'list-disc space-y-1 pl-5 marker:text-fg-3'}>{items}</ul>;
}

function ListItem({ node, context }: ViewProps<NodeOf<'listItem'>>) {
  const isTask = typeof node.checked === 'boolean';
  return (
    <li className={isTask ? 'flex gap-2' : 'pl-0.5 [&>*+*]:mt-1.5'}>
      {isTask && (
        <input
          type="checkbox"
          checked={node.checked === true}
          readOnly
          disabled
          aria-label={node.checked === true ? 'done' : 'open'}
          className="mt-1"
        />
      )}
      {isTask ? <div className="min-w-0 [&>*+*]:mt-1.5">{inside(node, context)}</div> : inside(node, context)}
    </li>
  );
}

const ALIGN = { left: 'text-left', center: 'text-center', right: 'text-right' };

function Table({ node, context }: ViewProps<NodeOf<'table'>>) {
  const [head, ...rows] = node.children;
  const alignOf = (column: number): string => {
    const align = node.align?.[column];
    return align === null || align === undefined ? '' : ALIGN[align];
  };
  return (
    <ScrollBox label="Table" className="rounded-control border border-line">
      <table className="w-full border-collapse text-left text-ui">
        <thead className="border-line border-b bg-sunken">
          <tr>
            {head?.children.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place
              <th key={column} className={`px-2.5 py-1 font-medium ${alignOf(column)}`}>
                {inside(cell, context)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
            <tr key={index} className="border-line not-first:border-t">
              {row.children.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place
                <td key={column} className={`px-2.5 py-1 align-top ${alignOf(column)}`}>
                  {inside(cell, context)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
