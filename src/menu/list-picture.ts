/** The width of a list's picture in pixels: two per point of a phone's card. */
export const listPictureWidth = 224;

/**
 * The address of a picture for lists. A drawn picture (SVG) is replaced by its pixels; other addresses stay. Twenty
 * SVGs together block a slow phone.
 */
export function listPictureOf(url: string): string {
  return url.replace(/^(\/pictures\/.+)\.svg$/, `$1-${listPictureWidth}`);
}
