/** The widths in pixels at which vector pictures are also served as bitmaps: for lists, and for cards. */
export const bitmapWidths = [224, 400] as const;
/** The width of a dish's picture in lists, in pixels: twice the width at which a phone shows it. */
const [listPictureWidth] = bitmapWidths;
/** The width in pixels at which a screen gets the vector picture itself, because its bitmaps would look blurred. */
const vectorWidth = 800;

const vector = /^(\/pictures\/.+)\.svg$/;

/**
 * Returns the address of a picture for lists. A vector picture (SVG) is replaced by its bitmap, because twenty SVGs
 * block a slow phone. Other addresses are returned unchanged.
 */
export function listPictureUrl(url: string): string {
  return url.replace(vector, `$1-${listPictureWidth}`);
}

/** The `srcset` value of a vector picture, which offers its bitmaps to small screens; null for all other pictures. */
export function bitmapSrcsetOf(url: string): string | null {
  const [, base] = vector.exec(url) ?? [];
  if (base === undefined) return null;
  return [...bitmapWidths.map((width) => `${base}-${width} ${width}w`), `${url} ${vectorWidth}w`].join(', ');
}
