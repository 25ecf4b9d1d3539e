import { ImageOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../primitives/icon.tsx';
import { safeLink, tellsHost } from './link-policy.ts';
import { useServices } from './services.tsx';

export interface MarkdownLinkProps {
  readonly href: string;
  /** What the link says. */
  readonly text: string;
  readonly children?: ReactNode;
}

const LINK = 'text-accent-text underline decoration-from-font underline-offset-2 hover:decoration-2';

/** A link that says where it goes. What is not allowed stays text. */
export function MarkdownLink({ href, text, children }: MarkdownLinkProps) {
  const { openFile } = useServices();
  const link = safeLink(href);
  if (link.kind === 'blocked') {
    return (
      <span title="This address is not opened from a transcript.">
        {children} <span className="text-fg-3 text-meta">(link removed)</span>
      </span>
    );
  }
  if (link.kind === 'file') {
    if (openFile === undefined) return <span className="font-mono text-code">{children}</span>;
    const open = (): void => openFile(link.path, link.line ?? undefined);
    return (
      <button
        type="button"
        title={`Open ${link.path} in the editor`}
        onClick={open}
        className={`${LINK} text-left`}
      >
        {children}
      </button>
    );
  }
  return (
    <>
      <a href={link.href} title={link.href} target="_blank" rel="noopener noreferrer" className={LINK}>
        {children}
      </a>
      {!tellsHost(text, link.host) && <span className="text-fg-3 text-meta"> ({link.host})</span>}
    </>
  );
}

/** A picture in a message would tell its server who reads this; it becomes a link. */
export function MarkdownImage({ src, alt }: { readonly src: string; readonly alt: string }) {
  return (
    <span className="inline-flex max-w-full items-baseline gap-1.5 rounded-control border border-line px-1.5 text-fg-2 text-ui">
      <Icon of={ImageOff} size={14} className="self-center" />
      <span className="sr-only">Picture, not loaded: </span>
      <MarkdownLink href={src} text={alt}>
        {alt === '' ? 'picture' : alt}
      </MarkdownLink>
    </span>
  );
}
