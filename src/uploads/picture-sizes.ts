/** The widths in pixels that pictures are kept in: small and larger lists, cards, sheets. */
export const pictureWidths = [128, 224, 400, 800];

/** The `srcset` of an uploaded picture, from the address of its largest WebP; null for any other picture. */
export function sourcesOf(url: string): { avif: string; webp: string } | null {
  const match = /^(\/uploads\/[0-9a-f]{64})-(\d+)\.webp$/.exec(url);
  if (!match) return null;
  const [, base = '', largest = ''] = match;
  const widths = [...pictureWidths.filter((width) => width < Number(largest)), Number(largest)];
  const list = (format: string) => widths.map((width) => `${base}-${width}.${format} ${width}w`).join(', ');
  return { avif: list('avif'), webp: list('webp') };
}

/**
 * Substitutes for a size that an older picture lacks: the other sizes, larger first. None for names outside of
 * `srcset`.
 */
export function otherSizesOf(name: string): string[] {
  const match = /^([0-9a-f]{64})-(\d+)\.(avif|webp)$/.exec(name);
  const [, hash = '', digits = '', format = ''] = match ?? [];
  const width = Number(digits);
  if (!pictureWidths.includes(width)) return [];
  const others = [...pictureWidths.filter((each) => each > width), ...pictureWidths.filter((each) => each < width)];
  return others.map((each) => `${hash}-${each}.${format}`);
}
