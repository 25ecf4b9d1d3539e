/** From markdown to a tree. What it holds is a closed set of nodes; raw HTML is one of them and stays text. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

export type MarkdownRoot = ReturnType<typeof fromMarkdown>;
export type MarkdownNode = MarkdownRoot['children'][number];
export type NodeOf<T extends MarkdownNode['type']> = Extract<MarkdownNode, { type: T }>;

/** A single tilde is more often "about" than a line through a word. */
const EXTENSIONS = { extensions: [gfm({ singleTilde: false })], mdastExtensions: [gfmFromMarkdown()] };

export const markdownTree = (text: string): MarkdownRoot => fromMarkdown(text, EXTENSIONS);

/** What a node says, without its marks. */
export const plainText = (node: MarkdownNode): string => {
  if ('value' in node) return node.value;
  if ('children' in node) return node.children.map((child) => plainText(child)).join('');
  return 'alt' in node ? (node.alt ?? '') : '';
};

/** Where `[text][name]` leads, by the name in lower case. */
export const definitionsOf = (root: MarkdownRoot): ReadonlyMap<string, string> =>
  new Map(
    root.children.flatMap((node) =>
      node.type === 'definition' ? [[node.identifier.toLowerCase(), node.url]] : [],
    ),
  );
