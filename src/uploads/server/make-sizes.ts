import { m } from '#messages';
import { AppError, invalid } from '#platform/errors.ts';
import { loadSharp } from '#platform/server/load-sharp.ts';
import { pictureWidths } from '#uploads/picture-sizes.ts';

const megapixels = 40;
const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);

export interface MadeSize {
  width: number;
  height: number;
  format: 'avif' | 'webp';
  bytes: Buffer;
}

/**
 * Redraws a picture in each width, rotated as its camera recorded, without its metadata. Its type is detected from its content.
 * Refuses other files with 415, damaged ones or those with too many pixels with 422; the size is read before it is unpacked.
 */
export async function makeSizes(picture: Buffer): Promise<MadeSize[]> {
  if (picture.length === 0) throw new AppError('unsupported_media_type', m.uploads_no_picture());
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
    throw new AppError('unsupported_media_type', m.uploads_no_picture());
  }
  if (width * height * pages > megapixels * 1_000_000) throw invalid('body', m.uploads_too_many_pixels());
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
    const made: MadeSize[] = [];
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
    throw invalid('body', m.uploads_broken());
  }
}
