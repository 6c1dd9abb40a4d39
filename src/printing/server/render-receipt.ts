import { parseReceiptSource, paperAsText } from '#printing/server/encode/read-paper.ts';
import { splitGraphemes } from '#platform/graphemes.ts';
import { graphemeWidth, textWidth } from '#printing/receipt/text.ts';
import { qrBitmap, ruleHeightDots, pictureMarginDots } from '#printing/server/encode/prepare-rows.ts';
import {
  type Bitmap,
  isBlack,
  type TextStyle,
  type ReceiptPaper,
  type PaperRow,
  type TextPiece,
} from '#printing/server/encode/paper.ts';

export interface RenderOptions {
  format: 'svg' | 'text';
  /** Characters per line: 48 on 80 mm paper (the default), 32 on 58 mm. */
  columns?: number;
  /** The source's pictures; a missing picture is left out. */
  pictures?: Readonly<Record<string, PreviewPicture>>;
}

/** Renders a receiptline source for a screen: as an SVG picture in the reader's fonts, or as text. */
export function renderReceipt(source: string, { format, columns = 48, pictures }: RenderOptions): string {
  const paper = parseReceiptSource(source, columns);
  return format === 'svg' ? toSvg(paper, pictures) : paperAsText(paper);
}

const cell = { width: 12, height: 24 };
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Matches right-to-left phrases with their spaces, or else the text between them. */
const phrases =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?: +[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*|[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+/g;
/** Latin characters that every monospaced font has. Spaces are excluded, because a renderer may collapse them. */
const simple = /^[\x21-\x7e\u00a1-\u024f]+$/;
const fonts = `'DejaVu Sans Mono', 'Liberation Mono', Menlo, Consolas, 'Noto Sans Mono', monospace`;

export interface PreviewPicture {
  /** The picture as a data URL. */
  href: string;
  width: number;
  height: number;
}

/**
 * Renders the paper as SVG, 12 × 24 units a character, in the reader's fonts. It contains only svg, g, rect, path,
 * text, and image for given pictures; user text is in text nodes only.
 */
function toSvg({ columns, rows }: ReceiptPaper, pictures: Readonly<Record<string, PreviewPicture>> = {}): string {
  const width = columns * cell.width;
  let y = 0;
  const drawnRows = rows.map((row) => {
    const { svg, height } = drawRow(row, width, pictures);
    y += height;
    return svg === '' ? '' : `<g transform="translate(0,${y})">${svg}</g>`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}">` +
    `<g font-family="${fonts}" font-size="20" text-anchor="middle" fill="#000">${drawnRows.join('')}</g></svg>`
  );
}

/** Draws a row whose lower left corner is the origin. */
function drawRow(
  row: PaperRow,
  width: number,
  pictures: Readonly<Record<string, PreviewPicture>>,
): { svg: string; height: number } {
  switch (row.kind) {
    case 'text':
      return { svg: row.pieces.map(drawPiece).join(''), height: row.height * cell.height };
    case 'rule':
      return {
        svg: `<path d="M0,${-ruleHeightDots / 2}h${width}" stroke="#000" stroke-width="2"/>`,
        height: ruleHeightDots,
      };
    case 'qr': {
      const bitmap = qrBitmap(row, width);
      return { svg: `<path d="${dotsOf(bitmap)}"/>`, height: bitmap.height };
    }
    case 'picture': {
      const picture = pictures[row.name];
      if (!picture) return { svg: '', height: 0 };
      const left = Math.floor((width - picture.width) / 2);
      const place = `x="${left}" y="${-picture.height - pictureMarginDots}" width="${picture.width}" height="${picture.height}"`;
      return { svg: `<image ${place} href="${picture.href}"/>`, height: picture.height + 2 * pictureMarginDots };
    }
    case 'cut':
      return { svg: '', height: 0 };
  }
}

function drawPiece({ text, at, width, look }: TextPiece): string {
  return `<g transform="translate(${at * cell.width},0)${scale(look)}">${drawn(text, width, look)}</g>`;
}

/** The SVG path of a bitmap's black dots; each horizontal run of dots is a rectangle. */
function dotsOf(bitmap: Bitmap): string {
  let path = '';
  for (let y = 0; y < bitmap.height; y += 1) {
    for (let x = 0; x < bitmap.width; x += 1) {
      let end = x;
      while (end < bitmap.width && isBlack(bitmap, end, y)) end += 1;
      if (end > x) path += `M${x},${y - bitmap.height}h${end - x}v1h${x - end}z`;
      x = end;
    }
  }
  return path;
}

function drawn(text: string, width: number, look: TextStyle): string {
  const box = `width="${width * cell.width}"`;
  let at = 0;
  const words = visualRuns(text).map((run) => {
    const places = run.cells.map((cellWidth) => {
      at += cellWidth;
      return (at - cellWidth / 2) * cell.width;
    });
    return run.text.trim() === '' ? '' : `<text x="${places.join(' ')}" y="-6">${escapeXml(run.text)}</text>`;
  });
  const ground = look.inverted ? `<rect y="-24" ${box} height="24" shape-rendering="crispEdges"/>` : '';
  const line = look.underlined ? `<rect y="-3" ${box} height="2"/>` : '';
  const attributes = (look.inverted ? ' fill="#fff"' : '') + (look.bold ? ' font-weight="bold"' : '');
  return `${ground}${line}${attributes === '' ? words.join('') : `<g${attributes}>${words.join('')}</g>`}`;
}

/**
 * The text of one SVG element. `cells`: the width of each character in columns. A right-to-left phrase has one width
 * for all its characters.
 */
interface Run {
  text: string;
  cells: number[];
}

/**
 * Splits a text into SVG elements. Simple letters share an element; a letter with marks or an emoji has its own. A
 * right-to-left phrase has one position, because the reader's browser shapes it.
 */
function visualRuns(text: string): Run[] {
  const parts = text.match(phrases) ?? [];
  return parts.flatMap((part) => {
    if (rightToLeft.test(part)) return [{ text: part, cells: [textWidth(part)] }];
    return splitGraphemes(part).reduce<Run[]>((runs, grapheme) => {
      const last = runs.at(-1);
      if (last && simple.test(grapheme) && simple.test(last.text)) {
        last.text += grapheme;
        last.cells.push(graphemeWidth(grapheme));
      } else runs.push({ text: grapheme, cells: [graphemeWidth(grapheme)] });
      return runs;
    }, []);
  });
}

function scale({ across, down }: TextStyle): string {
  return across === 1 && down === 1 ? '' : ` scale(${across},${down})`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
