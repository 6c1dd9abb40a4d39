import { splitGraphemes } from '#platform/graphemes.ts';
import { graphemeWidth } from '#printing/receipt/text.ts';
import { qrBitmap } from '#printing/server/encode/prepare-rows.ts';
import type { ReceiptPaper, PaperRow, TextPiece, TextRow } from '#printing/server/encode/paper.ts';
import { cellHeight, cellWidth, type Sheet, type SheetRow, type Span } from '#simulators/printers/decode/sheet.ts';

type Picture = Extract<SheetRow, { kind: 'picture' }>;
const ruleHeightDots = 12;
/** Signs that a printer's tables may lack, and what then stands for them. */
const plain: Record<string, string> = {
  '×': 'x',
  '·': '.',
  '•': '*',
  '−': '-',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '‚': ',',
  '“': '"',
  '”': '"',
};

/**
 * Throws unless all of a paper is on the sheet: text letter by letter where and as large as it was laid out, or as a
 * picture with ink in the place of every character. What is in a code is not looked at.
 */
export function comparePaper({ rows }: ReceiptPaper, sheet: Sheet): { letters: number; pictures: number } {
  const counts = { letters: 0, pictures: 0 };
  let next = 0;
  for (const on of sheet.rows) {
    const row = rows[next];
    if (on.kind === 'text') {
      if (row?.kind !== 'text')
        throw new Error(`${row && described(row)} is not on the paper: ${JSON.stringify(on.spans)}`);
      compareText(row, on.spans);
      counts.letters += 1;
      next += 1;
    } else {
      const drawn = rowsOf(on, rows.slice(next));
      counts.pictures += drawn;
      next += drawn;
    }
  }
  const missing = rows[next];
  if (missing) throw new Error(`The paper ends before ${described(missing)}.`);
  return counts;
}

/** Looks at the rows of a picture, which may be padded to strips, and tells how many they are. */
function rowsOf(picture: Picture, rows: readonly PaperRow[]): number {
  let count = 0;
  let sum = 0;
  for (const row of rows) {
    if (sum + heightOf(row, picture.width) > picture.height) break;
    sum += heightOf(row, picture.width);
    count += 1;
  }
  const padding = picture.height - sum;
  if (count === 0 || padding >= 24)
    throw new Error(`A picture of ${picture.height} rows is not ${count} rows of the paper.`);
  let top = Math.floor(padding / 2);
  for (const row of rows.slice(0, count)) {
    top += heightOf(row, picture.width);
    if (row.kind === 'text') for (const piece of row.pieces) findInk(piece, picture, top);
  }
  return count;
}

function heightOf(row: PaperRow, dots: number): number {
  if (row.kind === 'text') return row.height * cellHeight;
  if (row.kind === 'rule') return ruleHeightDots;
  if (row.kind === 'qr') return qrBitmap(row, dots).height;
  throw new Error(`Papers with a ${row.kind} are not compared.`);
}

function compareText({ pieces, height }: TextRow, spans: readonly Span[]): void {
  const wanted = pieces.flatMap((piece) => lettersOf(piece));
  const found = spans.flatMap(({ text, x, across, down, ...look }) =>
    Array.from(text, (letter, at) => ({ ...look, across, down, letter, x: x + at * across * cellWidth })),
  );
  const isSame = (one: (typeof wanted)[number], other: (typeof found)[number]) =>
    (one.letter === other.letter || plain[one.letter] === other.letter) &&
    Math.abs(one.x - other.x) < 1 &&
    one.across === other.across &&
    one.down === other.down &&
    one.bold === other.bold &&
    one.inverted === other.inverted;
  // An empty row is sent as a space.
  const isEmpty = wanted.length === 0 && found.every(({ letter }) => letter === ' ');
  const isWhole =
    wanted.length === found.length && wanted.every((each, at) => found[at] !== undefined && isSame(each, found[at]));
  if (!isEmpty && !isWhole) {
    throw new Error(`Not what was laid out (${height}): ${JSON.stringify({ pieces, spans })}`);
  }
}

function lettersOf({ text, at, look }: TextPiece) {
  return Array.from(text, (letter, index) => ({
    ...look,
    letter: letter === '\u00a0' ? ' ' : letter,
    x: (at + index * look.across) * cellWidth,
  }));
}

/** Scripts whose words are set as a whole, not in cells. */
const phrases = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]|\p{Script=Thai}/u;
/** Block elements may be all black. */
const blocks = /[\u2580-\u259f]/;

/** Every character has ink in its cells, and where it is white on black, white too. */
function findInk({ look, at, width, text }: TextPiece, picture: Picture, bottom: number): void {
  const parts = phrases.test(text) ? [text] : splitGraphemes(text);
  let from = at;
  for (const part of parts) {
    const cells = parts.length === 1 ? width : graphemeWidth(part);
    const black = inkIn(picture, Math.round(from * cellWidth), bottom, cells * look.across, look.down);
    const all = cells * look.across * cellWidth * look.down * cellHeight;
    if (part.trim() !== '' && !blocks.test(part) && (black === 0 || black === all)) {
      throw new Error(`Nothing can be read of ${JSON.stringify(part)} in ${JSON.stringify(text)}.`);
    }
    from += cells * look.across;
  }
}

function inkIn({ ink, width }: Picture, left: number, bottom: number, across: number, down: number): number {
  let black = 0;
  for (let y = bottom - down * cellHeight; y < bottom; y += 1) {
    for (let x = left; x < left + across * cellWidth; x += 1) black += ink[y * width + x] ?? 0;
  }
  return black;
}

function described(row: PaperRow): string {
  return row.kind === 'text' ? JSON.stringify(row.pieces.map(({ text }) => text)) : `a ${row.kind}`;
}
