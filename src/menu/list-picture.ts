/** The width in pixels of a drawn picture in a list: two for each point of a phone's card. */
export const listWidth = 224;

/**
 * Where a drawn picture is as pixels, for lists, from the address of its SVG; any other address as it is. Each SVG is a
 * document to parse and lay out: twenty of them at once keep a slow phone from answering.
 */
export function listPictureOf(url: string): string {
  return url.replace(/^(\/pictures\/.+)\.svg$/, `$1-${listWidth}`);
}
