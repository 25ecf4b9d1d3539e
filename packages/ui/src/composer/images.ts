/** Pictures for a prompt, read from the clipboard, a drop or a file field. */
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

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const MAX_BYTES = 10 * 1024 * 1024;

export const readImages = async (files: readonly File[]): Promise<ReadImages> => {
  const images: ComposerImage[] = [];
  const refused: string[] = [];
  for (const file of files) {
    const name = file.name === '' ? 'picture' : file.name;
    if (!IMAGE_TYPES.includes(file.type)) refused.push(`${name} is not a PNG, JPEG, GIF or WebP picture.`);
    else if (file.size > MAX_BYTES) refused.push(`${name} is larger than 10 MB.`);
    else images.push({ id: crypto.randomUUID(), name, mime: file.type, b64: await base64Of(file) });
  }
  return { images, refused };
};

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => reject(new Error(`${file.name} could not be read.`));
    reader.readAsDataURL(file);
  });
}
