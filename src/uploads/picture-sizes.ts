/** The stored widths of pictures in pixels: for small lists, larger lists, cards and sheets. */
export const pictureWidths = [128, 224, 400, 800];

const uploaded = /^(\/uploads\/[0-9a-f]{64})-(\d+)\.webp$/;

/**
 * The width (pixels) of an uploaded picture that is narrower than the largest stored width; null for all other
 * pictures.
 */
export function widthOfSmallUpload(url: string): number | null {
  const width = Number(uploaded.exec(url)?.[2] ?? NaN);
  return width < Math.max(...pictureWidths) ? width : null;
}

/** The `srcset` values of an uploaded picture, built from the URL of its largest WebP; null for any other picture. */
export function srcsetsOf(url: string): { avif: string; webp: string } | null {
  const match = uploaded.exec(url);
  if (!match) return null;
  const [, base = '', largest = ''] = match;
  const widths = [...pictureWidths.filter((width) => width < Number(largest)), Number(largest)];
  const list = (format: string) => widths.map((width) => `${base}-${width}.${format} ${width}w`).join(', ');
  return { avif: list('avif'), webp: list('webp') };
}

/**
 * The file names of the other sizes of the picture `name`, larger ones first. If the file `name` is missing, the server
 * sends the first of them that exists. Empty if the width in `name` is not one of `pictureWidths`.
 */
export function fallbackFileNamesOf(name: string): string[] {
  const match = /^([0-9a-f]{64})-(\d+)\.(avif|webp)$/.exec(name);
  const [, hash = '', digits = '', format = ''] = match ?? [];
  const width = Number(digits);
  if (!pictureWidths.includes(width)) return [];
  const others = [...pictureWidths.filter((each) => each > width), ...pictureWidths.filter((each) => each < width)];
  return others.map((each) => `${hash}-${each}.${format}`);
}
