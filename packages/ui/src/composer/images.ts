/** Pictures for a prompt, read from the clipboard, a drop or a file field. */
import { formatBytes, formatCount } from '../format.ts';

export interface ComposerImage {
  readonly id: string;
  readonly name: string;
  readonly mime: string;
  readonly b64: string;
}

export interface ReadImages {
  readonly images: readonly ComposerImage[];
  /** One sentence for each file that was not taken. */
  readonly refused: readonly string[];
}

export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
export const MAX_IMAGES = 20;

export interface FileFacts {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** Why this file cannot go with a prompt that has `count` pictures already, or null. */
export const reasonAgainstImage = ({ name, type, size }: FileFacts, count: number): string | null => {
  const shown = nameOf(name);
  if (!IMAGE_TYPES.includes(type)) return `${shown} is not a PNG, JPEG, GIF or WebP picture.`;
  if (size === 0) return `${shown} is empty.`;
  if (size > MAX_IMAGE_BYTES) {
    return `${shown} has ${formatBytes(size)}; a picture may have ${formatBytes(MAX_IMAGE_BYTES)}.`;
  }
  return count < MAX_IMAGES
    ? null
    : `${shown} is one too many: a prompt takes ${formatCount(MAX_IMAGES)} pictures.`;
};

/** Reads what may go with the prompt, in order; `count` is how many it has already. */
export const readImages = async (files: readonly File[], count: number): Promise<ReadImages> => {
  const images: ComposerImage[] = [];
  const refused: string[] = [];
  for (const file of files) {
    const reason = reasonAgainstImage(file, count + images.length);
    if (reason !== null) refused.push(reason);
    else {
      const b64 = await base64Of(file);
      images.push({ id: crypto.randomUUID(), name: nameOf(file.name), mime: file.type, b64 });
    }
  }
  return { images, refused };
};

function nameOf(name: string): string {
  return name === '' ? 'The picture' : name;
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => reject(new Error(`${file.name} could not be read.`));
    reader.readAsDataURL(file);
  });
}

/** The bytes again, for a thumbnail that is an object URL instead of a long address in the page. */
export const blobOfImage = ({ b64, mime }: Pick<ComposerImage, 'b64' | 'mime'>): Blob => {
  const text = atob(b64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return new Blob([bytes], { type: mime });
};

/** A spreadsheet puts a picture of its cells beside their text: then the text is what was meant. */
export const imagesOfPaste = <F extends { readonly type: string }>(
  files: readonly F[],
  text: string,
): readonly F[] => (text.trim() === '' ? files : []);
