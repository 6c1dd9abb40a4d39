/** The width of a dish's picture in lists, in pixels: twice the width at which a phone shows it. */
export const listPictureWidth = 224;

/**
 * Returns the address of a picture for lists. A vector picture (SVG) is replaced by its bitmap, because twenty SVGs
 * block a slow phone. Other addresses are returned unchanged.
 */
export function listPictureUrl(url: string): string {
  return url.replace(/^(\/pictures\/.+)\.svg$/, `$1-${listPictureWidth}`);
}
