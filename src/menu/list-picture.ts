/** The width of a list's picture in pixels: two per point of a phone's card. */
export const listWidth = 224;

/**
 * A drawn picture as pixels for lists, by its SVG's address; other addresses unchanged. Twenty SVGs together block a
 * slow phone.
 */
export function listPictureOf(url: string): string {
  return url.replace(/^(\/pictures\/.+)\.svg$/, `$1-${listWidth}`);
}
