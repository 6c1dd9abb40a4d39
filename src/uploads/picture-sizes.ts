/** The widths in pixels that pictures are kept in: lists, cards, sheets. */
export const pictureWidths = [128, 400, 800];

/** What a `srcset` says of an uploaded picture, from the address of its largest WebP; null for any other picture. */
export function sourcesOf(url: string): { avif: string; webp: string } | null {
  const match = /^(\/uploads\/[0-9a-f]{64})-(\d+)\.webp$/.exec(url);
  if (!match) return null;
  const [, base = '', largest = ''] = match;
  const widths = [...pictureWidths.filter((width) => width < Number(largest)), Number(largest)];
  const list = (format: string) => widths.map((width) => `${base}-${width}.${format} ${width}w`).join(', ');
  return { avif: list('avif'), webp: list('webp') };
}
