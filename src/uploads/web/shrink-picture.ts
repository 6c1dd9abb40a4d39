import { m } from '#messages';
import { ApiError } from '#platform/web/api.ts';
import { loadCode } from '#ui/web/lazy-part.ts';

/** The value of `accept` for pictures. The extensions are for systems that do not know the types of iPhone photos. */
export const acceptedPictures = 'image/*,.heic,.heif';

/**
 * Redraws a picture upright, with at most `longestSide` pixels on its longest side. The result is a JPEG, or a format
 * with transparency if the picture may have some. HEIC is decoded by a library if the browser cannot. Throws ApiError
 * for other files.
 */
export async function shrinkPicture(file: File, longestSide: number): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => decodeHeic(file));
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  );
  const context = canvas.getContext('2d');
  if (!context) throw unreadable();
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.convertToBlob({ type: isOpaque(file) ? 'image/jpeg' : 'image/webp', quality: 0.9 });
}

async function decodeHeic(file: File): Promise<ImageBitmap> {
  const brand = await file.slice(4, 12).text();
  if (!/^ftyp(hei|hev|mif|msf)/.test(brand)) throw unreadable();
  const { heicTo } = await loadCode(() => import('heic-to/csp'));
  return heicTo({ blob: file, type: 'bitmap' }).catch(() => {
    throw unreadable();
  });
}

function isOpaque({ type, name }: File): boolean {
  return type === 'image/jpeg' || /\.hei[cf]$/i.test(name);
}

function unreadable(): ApiError {
  return new ApiError(415, { code: 'unsupported_media_type', message: m.uploads_unreadable() });
}
