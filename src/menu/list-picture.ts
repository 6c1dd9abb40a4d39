/** The width of a list's picture in pixels: two per point of a phone's card. */
export const listPictureWidth = 224;

/**
 * The address of a picture for lists. A vector picture (SVG) is replaced by a bitmap of it, because twenty SVGs
 * together block a slow phone; other addresses are returned as they are.
 */
export function listPictureUrl(url: string): string {
  return url.replace(/^(\/pictures\/.+)\.svg$/, `$1-${listPictureWidth}`);
}
