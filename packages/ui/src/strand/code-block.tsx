import { visibleMarks } from '@skein/core/text/visible-marks';
import { memo, useEffect, useState } from 'react';
import { classNames } from '../class-names.ts';
import { plural } from '../format.ts';
import { CopyButton } from '../primitives/copy-button.tsx';
import { ScrollBox } from '../primitives/scroll-box.tsx';
import { sharedHighlighter } from './highlight.ts';
import type { TokenLine } from './highlight-tokens.ts';

export interface CodeBlockProps {
  readonly code: string;
  readonly language?: string | undefined;
  /** Do not highlight: the text is still growing. */
  readonly plain?: boolean | undefined;
  /** Without a frame and a head, inside something that has both. */
  readonly bare?: boolean | undefined;
}

export const FOLD_LINES = 40;

/** Code: plain at once, coloured when the worker answers, folded at 40 lines. */
export const CodeBlock = memo(function CodeBlock({
  code,
  language,
  plain = false,
  bare = false,
}: CodeBlockProps) {
  const [open, setOpen] = useState(false);
  const lines = code.split('\n');
  const folds = lines.length > FOLD_LINES + 5;
  // Copied is what was written; shown is what it really says.
  const shown = visibleMarks(folds && !open ? lines.slice(0, FOLD_LINES).join('\n') : code);
  return (
    <div
      className={classNames(
        'group/code relative',
        !bare && 'overflow-hidden rounded-control border border-line bg-sunken',
      )}
    >
      {!bare && (
        <div className="flex h-7 items-center border-line border-b pr-0.5 pl-2.5 text-fg-3 text-meta touch:h-9">
          <span className="flex-1">{language ?? 'text'}</span>
          <CopyButton label="Copy code" text={() => code} className="touch:size-9" />
        </div>
      )}
      <ScrollBox
        label={language === undefined ? 'Text' : `Code, ${language}`}
        className={bare ? 'py-1' : 'px-2.5 py-2'}
      >
        <pre className="w-max min-w-full text-code">
          <code>
            <Highlighted code={shown} language={plain ? undefined : language} />
          </code>
        </pre>
      </ScrollBox>
      {folds && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="block w-full border-line border-t px-2.5 py-1 text-left text-fg-2 text-meta hover:bg-hover hover:text-fg focus-visible:-outline-offset-2 touch:py-3.5"
        >
          {open
            ? `Show the first ${FOLD_LINES} lines only`
            : `Show ${plural(lines.length - FOLD_LINES, 'more line')}`}
        </button>
      )}
      {bare && (
        <div className="absolute top-0 right-0.5 opacity-0 focus-within:opacity-100 group-hover/code:opacity-100 touch:opacity-100">
          <CopyButton label="Copy" text={() => code} className="bg-raised touch:size-8" />
        </div>
      )}
    </div>
  );
});

export interface HighlightedProps {
  readonly code: string;
  /** Absent: plain. */
  readonly language?: string | undefined;
}

/** Code as spans, for a <code> around it. */
export function Highlighted({ code, language }: HighlightedProps) {
  const lines = useTokens(code, language);
  if (lines === null) return code;
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
    <span key={index}>
      {line.map(([text, group], place) =>
        group === 0 ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: so do tokens
          <span key={place} className={`tok-${group}`}>
            {text}
          </span>
        ),
      )}
      {index < lines.length - 1 && '\n'}
    </span>
  ));
}

/** The coloured lines of a text, or null while there are none. */
export function useTokens(code: string, language: string | undefined): readonly TokenLine[] | null {
  const [tokens, setTokens] = useState<{
    readonly code: string;
    readonly lines: readonly TokenLine[];
  } | null>(null);
  useEffect(() => {
    if (language === undefined) return undefined;
    let wanted = true;
    sharedHighlighter()
      .highlight(code, language)
      .then(
        (lines) => {
          if (wanted && lines !== null) setTokens({ code, lines });
        },
        () => setTokens(null),
      );
    return () => {
      wanted = false;
    };
  }, [code, language]);
  if (language === undefined) return null;
  return tokens?.code === code ? tokens.lines : null;
}
