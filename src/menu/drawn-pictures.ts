/** The widths in pixels at which drawn pictures (SVG) are also served as bitmaps: for lists, and for cards. */
export const bitmapWidths = [224, 400] as const;
/** The width of a dish's picture in lists, in pixels: twice the width at which a phone shows it. */
const [listPictureWidth] = bitmapWidths;
/** The width in pixels at which a screen gets the SVG itself, because its bitmaps would look blurred. */
const vectorWidth = 800;

/** Matches each size of a drawn picture, and captures the part of the URL that all sizes share. */
const drawn = /^(\/pictures\/.+?)(?:\.svg|-\d+)$/;

/**
 * Returns the address of a picture for lists. Each size of a drawn picture is replaced by its small bitmap, because
 * twenty SVGs block a slow phone. Other addresses are returned unchanged.
 */
export function listPictureUrl(url: string): string {
  return url.replace(drawn, `$1-${listPictureWidth}`);
}

/** The `srcset` value of a drawn picture, which offers its bitmaps to small screens; null for all other pictures. */
export function bitmapSrcsetOf(url: string): string | null {
  const [, base] = drawn.exec(url) ?? [];
  if (base === undefined) return null;
  return [...bitmapWidths.map((width) => `${base}-${width} ${width}w`), `${base}.svg ${vectorWidth}w`].join(', ');
}
