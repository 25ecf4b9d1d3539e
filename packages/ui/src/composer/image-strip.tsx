import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatBytes } from '../format.ts';
import { Icon } from '../primitives/icon.tsx';
import { IconButton } from '../primitives/icon-button.tsx';
import { blobOfImage, type ComposerImage } from './images.ts';

export interface ImageStripProps {
  readonly images: readonly ComposerImage[];
  readonly onRemove: (id: string) => void;
}

/** The pictures that go with the prompt. */
export function ImageStrip({ images, onRemove }: ImageStripProps) {
  return (
    <ul aria-label="Pictures" className="flex max-h-40 flex-wrap gap-2 overflow-y-auto px-3 pt-3">
      {images.map((image) => (
        <li key={image.id} className="relative">
          <Thumbnail image={image} />
          <IconButton
            size="sm"
            label={`Remove ${image.name}`}
            icon={<Icon of={X} size={14} />}
            onClick={() => onRemove(image.id)}
            className="-top-2 -right-2 absolute size-5! rounded-full! border border-line bg-raised touch:size-7!"
          />
        </li>
      ))}
    </ul>
  );
}

function Thumbnail({ image }: { readonly image: ComposerImage }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(blobOfImage(image));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [image]);
  const frame = 'size-14 rounded-control border border-line bg-sunken';
  if (url === null) return <span className={`${frame} block`} />;
  return (
    <img
      src={url}
      alt={image.name}
      title={`${image.name}, ${formatBytes((image.b64.length * 3) / 4)}`}
      decoding="async"
      className={`${frame} object-cover`}
    />
  );
}
