/** The width of a list's picture in pixels: two per point of a phone's card. */
export const listPictureWidth = 224;

/**
 * Returns the address of a picture for lists. A vector picture (SVG) is replaced by its bitmap, because twenty SVGs
 * block a slow phone. Other addresses are returned unchanged.
 */
export function listPictureUrl(url: string): string {
  return url.replace(/^(\/pictures\/.+)\.svg$/, `$1-${listPictureWidth}`);
}
