import { X } from 'lucide-react';
import { Icon } from '../primitives/icon.tsx';
import { IconButton } from '../primitives/icon-button.tsx';
import type { ComposerImage } from './images.ts';

export interface ImageStripProps {
  readonly images: readonly ComposerImage[];
  readonly onRemove: (id: string) => void;
}

/** The pictures that go with the prompt. */
export function ImageStrip({ images, onRemove }: ImageStripProps) {
  return (
    <ul aria-label="Pictures" className="flex flex-wrap gap-2 px-3 pt-2.5">
      {images.map(({ id, name, mime, b64 }) => (
        <li key={id} className="group/image relative">
          <img
            src={`data:${mime};base64,${b64}`}
            alt={name}
            className="size-14 rounded-control border border-line object-cover"
          />
          <IconButton
            size="sm"
            label={`Remove ${name}`}
            icon={<Icon of={X} size={14} />}
            onClick={() => onRemove(id)}
            className="-top-2 -right-2 absolute size-5! rounded-full! border border-line bg-raised touch:size-7!"
          />
        </li>
      ))}
    </ul>
  );
}
