/** Pasting, dropping and picking pictures. */
import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from 'react';
import { type ComposerImage, imagesOfPaste, readImages } from './images.ts';

export interface PicturesOptions {
  readonly images: readonly ComposerImage[];
  readonly onImages: (images: readonly ComposerImage[]) => void;
  readonly acceptsImages: boolean;
}

export const usePictures = (options: PicturesOptions, onProblem: (text: string | null) => void) => {
  const [isOver, setOver] = useState(false);
  // Reading takes a while: what was added or removed meanwhile must not be forgotten.
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const take = (files: readonly File[]): void => {
    if (files.length === 0) return;
    if (!options.acceptsImages) {
      onProblem('This agent does not take pictures.');
      return;
    }
    readImages(files, options.images.length).then(
      (read) => {
        const { images, onImages } = latest.current;
        if (read.images.length > 0) onImages([...images, ...read.images]);
        onProblem(read.refused.length === 0 ? null : read.refused.join(' '));
      },
      () => onProblem('The picture could not be read.'),
    );
  };
  const handlers = {
    onPaste: (event: ClipboardEvent) => {
      const files = imagesOfPaste([...event.clipboardData.files], event.clipboardData.getData('text/plain'));
      if (files.length === 0) return;
      event.preventDefault();
      take(files);
    },
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      const { relatedTarget, currentTarget } = event;
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      take([...event.dataTransfer.files]);
    },
  };
  return { isOver, take, handlers };
};
