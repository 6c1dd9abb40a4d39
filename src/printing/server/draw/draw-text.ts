import { Direction, type Font, Buffer as Glyphs, shape } from 'harfbuzzjs';
import { splitGraphemes } from '#platform/graphemes.ts';
import type { Fonts, LoadedFont } from '#printing/server/draw/fonts.ts';
import type { TextStyle, TextPiece, TextRow } from '#printing/server/encode/paper.ts';
import bidiModule from 'bidi-js';
import { graphemeWidth } from '#printing/receipt/text.ts';

/** The cell of a normal character, in dots. Its baseline is 6 dots above the bottom. */
export const characterCellDots = { width: 12, height: 24, descent: 6 };
/** The width in dots of the line around each letter. It thickens strokes, because a stroke of half a dot is lost. */
const strokeWidth = 0.4;
/** The width of a space between the words of a phrase, in dots. */
const space = 6;

export interface DrawnText {
  /** SVG elements, relative to the row's lower left corner. */
  svg: string;
  /** Characters that no font has. */
  missing: string[];
}

/** Draws a row of text as SVG paths, which need no font. */
export async function drawTextRow(row: TextRow, fonts: Fonts): Promise<DrawnText> {
  const missing: string[] = [];
  const pieces = [];
  for (const piece of row.pieces) pieces.push(await drawPiece(piece, fonts, missing));
  return { svg: pieces.join(''), missing };
}

async function drawPiece(piece: TextPiece, fonts: Fonts, missing: string[]): Promise<string> {
  const { look, width } = piece;
  const drawn = [];
  for (const segment of splitSegments(piece.text)) {
    const left = segment.at * characterCellDots.width;
    const room = segment.columns * characterCellDots.width;
    const outline = await drawSegment(segment, piece, fonts, missing);
    const squeeze = outline.advance > room ? room / outline.advance : 1;
    const spare = room - outline.advance * squeeze;
    drawn.push(
      `<g transform="translate(${left + spare * sideOf(segment, piece)},${-characterCellDots.descent}) scale(${squeeze},1)">${outline.svg}</g>`,
    );
  }
  const whole = width * characterCellDots.width;
  const ground = look.inverted ? rectangle(0, -characterCellDots.height, whole, characterCellDots.height) : '';
  const line = look.underlined ? rectangle(0, -3, whole, 2) : '';
  const ink = look.inverted ? '#fff' : '#000';
  const letters = `<g fill="${ink}" stroke="${ink}" stroke-width="${strokeWidth}">${drawn.join('')}</g><g fill="${ink}">${line}</g>`;
  return `<g transform="translate(${piece.at * characterCellDots.width},0) scale(${look.across},${look.down})">${ground}${letters}</g>`;
}

/**
 * The share of a segment's spare width that goes to its left, from 0 to 1. A character is centred in its cells; a
 * phrase has the row's alignment, except in a banner.
 */
function sideOf(segment: Segment, { align, look }: TextPiece): number {
  if (!segment.runs || look.inverted) return 0.5;
  return { left: 0, centre: 0.5, right: 1 }[align];
}

interface Outline {
  svg: string;
  advance: number;
}

async function drawSegment(segment: Segment, piece: TextPiece, fonts: Fonts, missing: string[]): Promise<Outline> {
  if (segment.text.trim() === '') return { svg: '', advance: 0 };
  const runs = segment.runs ?? [{ text: segment.text, isRightToLeft: false }];
  const outlines = [];
  for (const run of runs) outlines.push(...(await drawRun(run, piece, fonts, missing)));
  return inARow(outlines);
}

async function drawRun(run: Run, piece: TextPiece, fonts: Fonts, missing: string[]): Promise<Outline[]> {
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

async function outline(text: string, font: LoadedFont, run: Run, piece: TextPiece, fonts: Fonts): Promise<Outline> {
  const shaped = shaping(text, font, weightOf(font, piece.look), run.isRightToLeft);
  if (!shaped.isWhole) {
    // If no single font has all parts of a joined emoji, its parts are drawn side by side.
    const parts = [];
    for (const character of text.replace(/[\p{M}\p{Cf}\p{Emoji_Modifier}]/gu, '')) {
      const own = await fonts.of(character, piece.text);
      if (own) parts.push(shaping(character, own, weightOf(own, piece.look), run.isRightToLeft));
    }
    if (parts.length > 0) return inARow(parts);
  }
  return shaped;
}

function weightOf(font: LoadedFont, { bold, across }: TextStyle): Font {
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

/** The outline of a box, drawn for a character that no font has. */
function box(): Outline {
  return { svg: '<path d="M2,0v-14h8v14zM4,-2h4v-10h-4z" fill-rule="evenodd"/>', advance: characterCellDots.width };
}

function rectangle(x: number, y: number, width: number, height: number): string {
  return `<path d="M${x},${y}h${width}v${height}h${-width}z"/>`;
}

// The types of bidi-js declare a default export, but Node imports the function itself.
const createBidi = bidiModule as unknown as typeof bidiModule.default;
const bidi = createBidi();
/** Matches characters of left-to-right scripts with proportional letters, which are not set in cells. */
const proportional = /[\p{Script=Thai}\p{scx=Deva}\p{scx=Beng}\p{scx=Taml}\p{scx=Gujr}\p{scx=Guru}\p{scx=Mlym}]/u;

/** A segment of a row with its position: one character in its cells, or a phrase that is shaped as a whole. */
interface Segment {
  text: string;
  /** The position in columns from the start of the text. */
  at: number;
  columns: number;
  /** The phrase's runs in visual order; null for a single character. */
  runs: Run[] | null;
}

/** Consecutive characters of a phrase with the same direction. */
interface Run {
  text: string;
  isRightToLeft: boolean;
}

interface Unit {
  text: string;
  from: number;
  columns: number;
  level: number;
}

/** Divides a text into segments; the text's base direction is left to right. */
export function splitSegments(text: string): Segment[] {
  const { levels } = bidi.getEmbeddingLevels(text, 'ltr');
  keepPunctuation(text, levels);
  let from = 0;
  const units = splitGraphemes(text).map((grapheme): Unit => {
    const unit = { text: grapheme, from, columns: graphemeWidth(grapheme), level: levels[from] ?? 0 };
    from += grapheme.length;
    return unit;
  });
  const segments: Segment[] = [];
  let at = 0;
  for (let index = 0; index < units.length;) {
    const phrase = phraseAt(units, index);
    const taken = phrase.length > 0 ? phrase : units.slice(index, index + 1);
    const columns = taken.reduce((sum, unit) => sum + unit.columns, 0);
    const own = taken.map((unit) => unit.text).join('');
    segments.push({ text: own, at, columns, runs: phrase.length > 0 ? runsOf(text, phrase, levels) : null });
    at += columns;
    index += taken.length;
  }
  return segments;
}

/** Punctuation after right-to-left words gets the direction of these words, even at the row's end. */
function keepPunctuation(text: string, levels: Uint8Array): void {
  for (const { index, 0: signs } of text.matchAll(/[.,:;!?\u060c\u061b\u061f\u06d4]+(?= |$)/g)) {
    const level = levels[index - 1] ?? 0;
    if (level % 2 === 1) levels.fill(level, index, index + signs.length);
  }
}

/** The longest phrase that begins at `index`, with only spaces between its words; empty if none begins there. */
function phraseAt(units: readonly Unit[], index: number): Unit[] {
  let end = index;
  let last = index;
  while (end < units.length) {
    const unit = units[end];
    if (!unit) break;
    const isPart = unit.level > 0 || proportional.test(unit.text);
    if (!isPart && unit.text !== ' ') break;
    end += 1;
    if (isPart && unit.text !== ' ') last = end;
  }
  const [first] = units.slice(index);
  return first?.text === ' ' ? [] : units.slice(index, last);
}

function runsOf(text: string, phrase: readonly Unit[], levels: Uint8Array): Run[] {
  const from = phrase[0]?.from ?? 0;
  const last = phrase.at(-1);
  const to = last ? last.from + last.text.length - 1 : from;
  // The phrase keeps the bidi levels of the whole text, but is reordered alone.
  const within = { levels: levels.slice(from, to + 1), paragraphs: [{ start: 0, end: to - from, level: 0 }] };
  const order = bidi.getReorderedIndices(text.slice(from, to + 1), within);
  const runs: { indices: number[]; level: number }[] = [];
  for (const index of order) {
    const level = within.levels[index] ?? 0;
    const run = runs.at(-1);
    if (run && run.level === level && Math.abs((run.indices.at(-1) ?? 0) - index) === 1) run.indices.push(index);
    else runs.push({ indices: [index], level });
  }
  return runs.map(({ indices, level }) => ({
    text: text.slice(from + Math.min(...indices), from + Math.max(...indices) + 1),
    isRightToLeft: level % 2 === 1,
  }));
}
