/** The width in pixels of a drawn picture in a list: two for each point of a phone's card. */
export const listWidth = 224;

/**
 * The address of a drawn picture as pixels, for lists, from that of its SVG; any other address unchanged. Each SVG is a
 * document to parse and lay out: twenty of them together block a slow phone.
 */
export function listPictureOf(url: string): string {
  return url.replace(/^(\/pictures\/.+)\.svg$/, `$1-${listWidth}`);
}
