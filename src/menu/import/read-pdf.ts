import type { PhotoWord } from '#menu/contract.ts';
import type { TextLine } from '#menu/import/classify-lines.ts';

/** A piece of a page's text, in points: `x` is its left end, `y` its baseline above the page's lower edge. */
export interface PdfPiece {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
  isBold: boolean;
}

/** Adjacent pieces of one line. */
interface Segment {
  text: string;
  x: number;
  end: number;
  y: number;
  height: number;
  isBold: boolean;
}

const pricePattern = /(?:[£€$]|\bCHF)\s*\d|\d[.,]\d{2}\b|\d{2,3}p\b|\d ?(?:€|zł|kr\b)/;
const barePrices = /^\s*\d{1,3}(?:[.,]\d)?(?:\s*\/\s*\d{1,3}(?:[.,]\d{1,2})?)*\s*$/;
const dishNumber = /^\s*\d{1,3}[.,)]\s*$/;
const onlyPricePattern = /^[\s£€$\d.,/|p+–-]+$/;

/** Orders a PDF's text into lines as people read it: column after column on each page. */
export function linesOfPdf(pages: readonly (readonly PdfPiece[])[]): TextLine[] {
  const heights = pages.flat().map(({ height }) => Math.round(height * 2) / 2);
  const usual = mostFrequent(heights);
  return pages.flatMap((pieces, page) =>
    splitColumns(joinPieces(pieces)).flatMap((segments) => joinRows(segments, usual, page + 1)),
  );
}

/**
 * Scales a photo's words to the height of an A4 page, because `linesOfPdf` measures gaps in points. A word's height
 * depends on its letters, so only much taller words count as headings.
 */
export function piecesOfPhoto(words: readonly PhotoWord[]): PdfPiece[] {
  const bottom = Math.max(1, ...words.map(({ y, height }) => y + height));
  const scale = 842 / bottom;
  const heights = words.map(({ height }) => height).toSorted((a, b) => a - b);
  // Most words have no tall or deep letters, so they are smaller than the font's full height. The factor 1.25 corrects
  // this.
  const usual = (heights[Math.floor(heights.length / 2)] ?? 1) * scale * 1.25;
  return words.map(({ text, x, y, width, height }) => ({
    text,
    x: x * scale,
    y: (bottom - y - height / 2) * scale,
    width: width * scale,
    height: height * scale > usual * 1.15 ? usual * 1.5 : usual,
    isBold: false,
  }));
}

function mostFrequent(numbers: readonly number[]): number {
  const counts = [...Map.groupBy(numbers, (one) => one)].toSorted(([, a], [, b]) => b.length - a.length);
  return counts[0]?.[0] ?? 0;
}

function isSameRow(one: Pick<PdfPiece, 'y' | 'height'>, other: Pick<PdfPiece, 'y' | 'height'>): boolean {
  return Math.abs(one.y - other.y) < Math.max(2, Math.min(one.height, other.height) * 0.4);
}

/**
 * Joins the pieces of a line into segments. A segment ends at a gap wider than two letters, or at a gutter between
 * columns.
 */
function joinPieces(pieces: readonly PdfPiece[]): Segment[] {
  const filled = pieces.filter(({ text }) => text.trim() !== '');
  const gutters = findGaps(filled.map(({ x, width }) => ({ x, end: x + width })));
  const isGutter = (from: number, to: number) => gutters.some((at) => from <= at + 1 && to >= at - 1);
  const rows: PdfPiece[][] = [];
  for (const piece of filled.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row && first && isSameRow(first, piece)) row.push(piece);
    else rows.push([piece]);
  }
  return rows.flatMap((row) => {
    const segments: Segment[] = [];
    for (const { text, x, y, width, height, isBold } of row.toSorted((a, b) => a.x - b.x)) {
      const last = segments.at(-1);
      const gap = last ? x - last.end : Infinity;
      if (last && gap < height * 1.1 && !(gap > height * 0.6 && isGutter(last.end, x))) {
        const isSpaced = gap > height * 0.18 && !/\s$/.test(last.text) && !/^\s/.test(text);
        // In letter-spaced text, the gap between words is wider than the gap between letters.
        last.text += (isSpaced ? (gap > height * 0.5 ? '  ' : ' ') : '') + text;
        last.end = Math.max(last.end, x + width);
      } else segments.push({ text, x, end: x + width, y, height, isBold });
    }
    return segments;
  });
}

/**
 * Splits a page into its columns of dishes. A column has names and prices, so a gap between names and prices is no
 * border.
 */
function splitColumns(segments: readonly Segment[]): Segment[][] {
  for (const at of findGaps(segments)) {
    const left = segments.filter(({ end }) => end <= at + 1);
    const right = segments.filter(({ x }) => x >= at - 1);
    const crossing = segments.filter((one) => !left.includes(one) && !right.includes(one));
    const isColumn = (part: readonly Segment[]) =>
      part.filter(({ text }) => pricePattern.test(text) || barePrices.test(text)).length >= 2 &&
      part.filter(({ text }) => /\p{L}{2}/u.test(text)).length >= 2;
    const starts = right.filter((one) => !right.some((other) => isSameRow(other, one) && other.x < one.x));
    const words = starts.filter(({ text }) => !onlyPricePattern.test(text) || dishNumber.test(text)).length;
    if (!isColumn(left) || !isColumn(right) || words < starts.length * 0.6) continue;
    // Text across both columns is a title above them or a note below them.
    const top = Math.max(...left.map(({ y }) => y), ...right.map(({ y }) => y));
    const before = crossing.filter(({ y }) => y >= top);
    const after = crossing.filter(({ y }) => y < top);
    return [before, ...splitColumns(left), ...splitColumns(right), after];
  }
  return [[...segments]];
}

/** The right ends of vertical gaps that nearly no segment crosses, the widest first. */
function findGaps(segments: readonly Pick<Segment, 'x' | 'end'>[]): number[] {
  const least = Math.min(...segments.map(({ x }) => x));
  const most = Math.max(...segments.map(({ end }) => end));
  const allowed = Math.max(1, segments.length * 0.06);
  const gaps: [from: number, to: number][] = [];
  for (let x = Math.ceil(least) + 40; x < most - 40; x += 2) {
    const crossing = segments.filter((one) => one.x < x && one.end > x).length;
    if (crossing > allowed) continue;
    const last = gaps.at(-1);
    if (last && x - last[1] <= 2) last[1] = x;
    else gaps.push([x, x]);
  }
  return gaps
    .filter(([from, to]) => to - from >= 6)
    .toSorted(([a, b], [c, d]) => d - c - (b - a))
    .map(([, to]) => to);
}

function joinRows(segments: readonly Segment[], usual: number, page: number): TextLine[] {
  const rows: Segment[][] = [];
  for (const one of segments.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row && first && isSameRow(first, one)) row.push(one);
    else rows.push([one]);
  }
  return rows.map((row) => {
    const sorted = row.toSorted((a, b) => a.x - b.x);
    const [first] = sorted;
    const size = Math.round(Math.max(...sorted.map(({ height }) => height)) * 2) / 2;
    return {
      text: sorted.reduce((line, one, at) => line + separatorBefore(one, sorted[at - 1]) + one.text.trim(), ''),
      weight: size - usual + (first?.isBold ? 0.25 : 0),
      page,
    };
  });
}

/**
 * Separates two segments by a tab at a wide gap, otherwise by a space. Words of a crooked photo may be separate
 * segments although their gap is narrow.
 */
function separatorBefore({ x, height }: Segment, before: Segment | undefined): string {
  if (!before) return '';
  return x - before.end < height * 1.1 ? ' ' : '\t';
}
