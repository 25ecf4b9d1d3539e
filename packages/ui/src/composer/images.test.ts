import { describe, expect, test } from 'vitest';
import { blobOfImage, imagesOfPaste, MAX_IMAGE_BYTES, MAX_IMAGES, reasonAgainstImage } from './images.ts';

const png = { name: 'shot.png', type: 'image/png', size: 2048 };

describe('pictures of a prompt', () => {
  test('the four usual kinds are taken, up to and at the limit', () => {
    for (const type of ['image/png', 'image/jpeg', 'image/gif', 'image/webp']) {
      expect(reasonAgainstImage({ ...png, type }, 0)).toBeNull();
    }
    expect(reasonAgainstImage({ ...png, size: MAX_IMAGE_BYTES }, 0)).toBeNull();
  });

  test('another kind is refused with what is taken', () => {
    expect(reasonAgainstImage({ name: 'a.svg', type: 'image/svg+xml', size: 9 }, 0)).toBe(
      'a.svg is not a PNG, JPEG, GIF or WebP picture.',
    );
    expect(reasonAgainstImage({ name: '', type: '', size: 9 }, 0)).toMatch(/^The picture is not/);
  });

  test('a big or an empty one is refused with the numbers', () => {
    expect(reasonAgainstImage({ ...png, size: 12 * 1024 * 1024 }, 0)).toBe(
      'shot.png has 12 MB; a picture may have 10 MB.',
    );
    expect(reasonAgainstImage({ ...png, size: 0 }, 0)).toBe('shot.png is empty.');
  });

  test('one more than the limit is refused', () => {
    expect(reasonAgainstImage(png, MAX_IMAGES - 1)).toBeNull();
    expect(reasonAgainstImage(png, MAX_IMAGES)).toBe('shot.png is one too many: a prompt takes 20 pictures.');
  });

  test('the thumbnail has the same bytes', async () => {
    const blob = blobOfImage({ mime: 'image/png', b64: btoa('\u0000\u00ffPNG') });
    expect(blob.type).toBe('image/png');
    expect([...new Uint8Array(await blob.arrayBuffer())]).toEqual([0, 255, 80, 78, 71]);
  });

  test('cells of a spreadsheet are pasted as text, a screenshot as a picture', () => {
    expect(imagesOfPaste([png], 'a\tb')).toEqual([]);
    expect(imagesOfPaste([png], '')).toEqual([png]);
  });
});
