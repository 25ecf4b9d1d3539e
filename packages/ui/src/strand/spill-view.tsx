import type { Content, Spill } from '@skein/core/record/parts';
import { useRef, useState } from 'react';
import { formatBytes } from '../format.ts';
import { Button } from '../primitives/button.tsx';
import { CopyButton } from '../primitives/copy-button.tsx';
import { CodeBlock } from './code-block.tsx';
import { useServices } from './services.tsx';

export interface SpillViewProps {
  readonly content: Content;
  readonly language?: string | undefined;
}

/** A text that may be too long for its line: its head, a way to load more, its tail. */
export function SpillView({ content, language }: SpillViewProps) {
  if (typeof content === 'string') return <CodeBlock bare code={content} language={language} />;
  return <Spilled spill={content} />;
}

const CHUNK = 262_144;

function Spilled({ spill }: { readonly spill: Spill }) {
  const { text, loaded, state, load } = useSpill(spill);
  const left = spill.bytes - loaded;
  const done = left <= 0;
  return (
    <div className="relative">
      <Pre text={text ?? spill.head} />
      {!done && (
        <div className="my-1 flex flex-wrap items-center gap-2 border-line border-y border-dashed py-1 text-fg-2 text-ui">
          <span className="tabular">
            {text === null ? `${formatBytes(spill.bytes)} in all` : `${formatBytes(left)} more`}
          </span>
          <Button size="sm" variant="ghost" disabled={state === 'loading'} onClick={load}>
            {state === 'loading'
              ? 'Loading'
              : `Load ${text === null ? 'the first' : 'the next'} ${formatBytes(Math.min(left, CHUNK))}`}
          </Button>
          {state === 'failed' && (
            <span className="text-del">It could not be loaded. The text is still on disk; try again.</span>
          )}
        </div>
      )}
      {!done && <Pre text={spill.tail} />}
      {done && <CopyButton label="Copy all" text={() => text ?? ''} className="absolute top-0 right-0" />}
    </div>
  );
}

function Pre({ text }: { readonly text: string }) {
  return (
    <pre className="max-h-120 overflow-auto whitespace-pre-wrap break-all py-1 text-code [content-visibility:auto]">
      {text}
    </pre>
  );
}

/** Loads a spill piece by piece; a character cut by a piece's edge is put together again. */
function useSpill(spill: Spill) {
  const { loadSpill } = useServices();
  const decoder = useRef<TextDecoder | null>(null);
  const [text, setText] = useState<string | null>(null);
  const [loaded, setLoaded] = useState(0);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const load = (): void => {
    decoder.current ??= new TextDecoder();
    const decode = decoder.current;
    setState('loading');
    loadSpill(spill.sha256, loaded).then(
      ({ b64, end }) => {
        const bytes = bytesOf(b64);
        setText((before) => (before ?? '') + decode.decode(bytes, { stream: !end }));
        setLoaded(end ? spill.bytes : loaded + bytes.length);
        setState('idle');
      },
      () => setState('failed'),
    );
  };
  return { text, loaded, state, load };
}

function bytesOf(b64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(b64), (char) => char.charCodeAt(0));
}
