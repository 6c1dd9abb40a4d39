import { Buffer as Glyphs, Direction, type Font, shape } from 'harfbuzzjs';
import { splitGraphemes } from '#platform/graphemes.ts';
import type { Fonts, LoadedFont } from '#printing/server/draw/fonts.ts';
import { type Run, type Segment, segmentsOf } from '#printing/server/draw/segments.ts';
import type { Look, Piece, TextRow } from '#printing/server/encode/paper.ts';

/** Dots of a normal character; its letters stand 6 dots above the bottom. */
export const cell = { width: 12, height: 24, descent: 6 };
/** Dots that are added to every stroke: one of half a dot would be lost. */
const strokeWidth = 0.4;
/** Dots of a space between the words of a phrase. */
const space = 6;

export interface DrawnText {
  /** SVG elements, with the row's lower left corner at 0, 0. */
  svg: string;
  /** Characters that no font has. */
  missing: string[];
}

/** A row of text as SVG paths: the picture needs no font. */
export async function drawTextRow(row: TextRow, fonts: Fonts): Promise<DrawnText> {
  const missing: string[] = [];
  const pieces = [];
  for (const piece of row.pieces) pieces.push(await drawPiece(piece, fonts, missing));
  return { svg: pieces.join(''), missing };
}

async function drawPiece(piece: Piece, fonts: Fonts, missing: string[]): Promise<string> {
  const { look, width } = piece;
  const drawn = [];
  for (const segment of segmentsOf(piece.text)) {
    const left = segment.at * cell.width;
    const room = segment.columns * cell.width;
    const outline = await drawSegment(segment, piece, fonts, missing);
    const squeeze = outline.advance > room ? room / outline.advance : 1;
    const spare = room - outline.advance * squeeze;
    drawn.push(
      `<g transform="translate(${left + spare * sideOf(segment, piece)},${-cell.descent}) scale(${squeeze},1)">${outline.svg}</g>`,
    );
  }
  const whole = width * cell.width;
  const ground = look.inverted ? rectangle(0, -cell.height, whole, cell.height) : '';
  const line = look.underlined ? rectangle(0, -3, whole, 2) : '';
  const ink = look.inverted ? '#fff' : '#000';
  const letters = `<g fill="${ink}" stroke="${ink}" stroke-width="${strokeWidth}">${drawn.join('')}</g><g fill="${ink}">${line}</g>`;
  return `<g transform="translate(${piece.at * cell.width},0) scale(${look.across},${look.down})">${ground}${letters}</g>`;
}

/** Which share of the spare room is on the left: a character stands in the middle of its cells, a phrase like its row. */
function sideOf(segment: Segment, { align, look }: Piece): number {
  if (!segment.runs || look.inverted) return 0.5;
  return { left: 0, centre: 0.5, right: 1 }[align];
}

interface Outline {
  svg: string;
  /** Dots. */
  advance: number;
}

async function drawSegment(segment: Segment, piece: Piece, fonts: Fonts, missing: string[]): Promise<Outline> {
  if (segment.text.trim() === '') return { svg: '', advance: 0 };
  const runs = segment.runs ?? [{ text: segment.text, isRightToLeft: false }];
  const outlines = [];
  for (const run of runs) outlines.push(...(await drawRun(run, piece, fonts, missing)));
  return inARow(outlines);
}

async function drawRun(run: Run, piece: Piece, fonts: Fonts, missing: string[]): Promise<Outline[]> {
  const parts: { text: string; font: LoadedFont | null }[] = [];
  for (const grapheme of splitGraphemes(run.text)) {
    const font = grapheme === ' ' ? null : await fonts.of(grapheme, piece.text);
    const last = parts.at(-1);
    if (last && last.font === font && font) last.text += grapheme;
    else parts.push({ text: grapheme, font });
  }
  const outlines = [];
  for (const { text, font } of run.isRightToLeft ? parts.toReversed() : parts) {
    if (text === ' ') outlines.push({ svg: '', advance: space });
    else if (font) outlines.push(await outline(text, font, run, piece, fonts));
    else {
      missing.push(text);
      outlines.push(box());
    }
  }
  return outlines;
}

async function outline(text: string, font: LoadedFont, run: Run, piece: Piece, fonts: Fonts): Promise<Outline> {
  const shaped = shaping(text, font, weightOf(font, piece.look), run.isRightToLeft);
  if (!shaped.isWhole) {
    // A joined emoji whose parts are in several files: its parts side by side.
    const parts = [];
    for (const character of text.replace(/[\p{M}\p{Cf}\p{Emoji_Modifier}]/gu, '')) {
      const own = await fonts.of(character, piece.text);
      if (own) parts.push(shaping(character, own, weightOf(own, piece.look), run.isRightToLeft));
    }
    if (parts.length > 0) return inARow(parts);
  }
  return shaped;
}

function weightOf(font: LoadedFont, { bold, across }: Look): Font {
  if (!bold) return font.regular;
  return across > 1 ? font.large : font.bold;
}

function shaping(text: string, loaded: LoadedFont, font: Font, isRightToLeft: boolean): Outline & { isWhole: boolean } {
  const glyphs = new Glyphs();
  glyphs.addText(text);
  glyphs.guessSegmentProperties();
  glyphs.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR);
  shape(font, glyphs);
  const scale = 1 / loaded.unitsPerDot;
  let at = 0;
  let isWhole = true;
  const paths = glyphs.getGlyphInfosAndPositions().map(({ codepoint, xAdvance = 0, xOffset = 0, yOffset = 0 }) => {
    if (codepoint === 0) isWhole = false;
    const path = font.glyphToPath(codepoint);
    const place = `translate(${(at + xOffset) * scale},${loaded.drop - yOffset * scale}) scale(${scale},${-scale})`;
    at += xAdvance;
    return path === '' ? '' : `<path vector-effect="non-scaling-stroke" transform="${place}" d="${path}"/>`;
  });
  return { svg: paths.join(''), advance: at * scale, isWhole };
}

function inARow(outlines: readonly Outline[]): Outline {
  let at = 0;
  const placed = outlines.map(({ svg, advance }) => {
    const place = at;
    at += advance;
    return svg === '' ? '' : `<g transform="translate(${place},0)">${svg}</g>`;
  });
  return { svg: placed.join(''), advance: at };
}

/** Stands for a character that no font has. */
function box(): Outline {
  return { svg: '<path d="M2,0v-14h8v14zM4,-2h4v-10h-4z" fill-rule="evenodd"/>', advance: cell.width };
}

function rectangle(x: number, y: number, width: number, height: number): string {
  return `<path d="M${x},${y}h${width}v${height}h${-width}z"/>`;
}
