import type { ImageView } from '@skein/core/document/blocks';
import { formatBytes } from '../format.ts';

const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** Pictures of a prompt, from the record itself. Large ones that were moved out of the line are named. */
export function PromptImages({ images }: { readonly images: readonly ImageView[] }) {
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pictures of a prompt never move
        <Picture key={index} image={image} />
      ))}
    </div>
  );
}

function Picture({ image: { mime, data, name } }: { readonly image: ImageView }) {
  const label = name ?? 'picture';
  if (typeof data !== 'string' || !SHOWN.has(mime)) {
    const size = typeof data === 'string' ? data.length * 0.75 : data.bytes * 0.75;
    return (
      <span className="rounded-control border border-line px-2 py-1 text-fg-2 text-ui">
        {label} <span className="text-fg-3">{`${mime}, ${formatBytes(size)}`}</span>
      </span>
    );
  }
  return (
    <img
      src={`data:${mime};base64,${data}`}
      alt={label}
      decoding="async"
      className="max-h-60 max-w-full rounded-control border border-line object-contain"
    />
  );
}
