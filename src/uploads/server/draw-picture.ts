import { loadSharp } from '#platform/server/load-sharp.ts';
import { pictureWidths } from '#uploads/picture-sizes.ts';

const megapixels = 40;
const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);

export interface RenderedPictureSize {
  width: number;
  height: number;
  format: 'avif' | 'webp';
  bytes: Buffer;
}

export type DrawResult = RenderedPictureSize[] | 'no_picture' | 'too_many_pixels' | 'broken';

/**
 * Redraws a picture in each width, upright and without metadata. The type is read from the content, and the size is
 * checked before decoding.
 */
export async function drawPictureSizes(picture: Buffer): Promise<DrawResult> {
  const sharp = await loadSharp();
  const {
    width,
    height,
    format,
    compression,
    pages = 1,
  } = await sharp(picture, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ width: 0, height: 0, format: 'none', compression: undefined, pages: 1 }));
  if (!formats.has(format) || (format === 'heif' && compression !== 'av1')) {
    return 'no_picture';
  }
  if (width * height * pages > megapixels * 1_000_000) return 'too_many_pixels';
  try {
    const turned = await sharp(picture, { limitInputPixels: megapixels * 1_000_000, failOn: 'error' })
      .autoOrient()
      .resize({ width: Math.max(...pictureWidths), height: 1600, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { info, data } = turned;
    const raw = { width: info.width, height: info.height, channels: info.channels };
    const smaller = pictureWidths.filter((wanted) => wanted < info.width);
    const made: RenderedPictureSize[] = [];
    for (const wanted of [...smaller, info.width]) {
      const resized = sharp(data, { raw }).resize({ width: wanted });
      for (const [kind, drawn] of [
        ['avif', resized.clone().avif({ quality: 55, effort: 3 })],
        ['webp', resized.clone().webp({ quality: 78 })],
      ] as const) {
        const { data: bytes, info: size } = await drawn.toBuffer({ resolveWithObject: true });
        made.push({ width: size.width, height: size.height, format: kind, bytes });
      }
    }
    return made;
  } catch {
    return 'broken';
  }
}
