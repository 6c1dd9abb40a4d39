import { type BaseCommand, commands, transform } from 'receiptline';
import { splitGraphemes } from '#platform/graphemes.ts';
import { textWidth } from '#printing/receipt/text.ts';
import type { TextStyle, ReceiptPaper, PaperRow, TextPiece } from '#printing/server/encode/paper.ts';

const plain: TextStyle = { bold: false, underlined: false, inverted: false, across: 1, down: 1 };

/** A column of a row: its start, and the margin that receiptline puts before its text. */
interface Column {
  start: number;
  margin: number;
  pieces: Omit<TextPiece, 'align'>[];
}

/**
 * Parses a receiptline source with receiptline's wrapping and the layout's column widths. Text that overflows its row
 * wraps. Bar codes and inline pictures are left out.
 */
export function parseReceiptSource(source: string, columns: number): ReceiptPaper {
  const rows: PaperRow[] = [];
  const read: BaseCommand = {
    ...commands.base,
    arrayFrom: splitGraphemes,
    measureText: textWidth,
    ...reader(rows, columns),
  };
  transform(source, { cpl: columns, encoding: 'multilingual', spacing: false, cutting: true, command: read });
  return { columns, rows };
}

/** Callbacks that collect the rows. receiptline calls one per element. */
function reader(rows: PaperRow[], columns: number): Partial<BaseCommand> {
  let left = 0;
  let position = 0;
  let isRule = false;
  let look = { ...plain };
  let row: Column[] = [];
  const called = (act: () => void) => {
    act();
    return '';
  };
  const lineFeed = () =>
    called(() => {
      rows.push(isRule ? { kind: 'rule' } : textRow(row, columns));
      row = [];
      isRule = false;
    });

  return {
    area: (margin) => called(() => (left = margin)),
    absolute: (at) =>
      called(() => {
        position = left + at;
        row.push({ start: position, margin: 0, pieces: [] });
      }),
    relative: (by) =>
      called(() => {
        position += by;
        const column = row.at(-1);
        if (column) column.margin = by;
      }),
    hr: () => called(() => (isRule = true)),
    normal: () => called(() => (look = { ...plain })),
    ul: () => called(() => (look.underlined = true)),
    em: () => called(() => (look.bold = true)),
    iv: () => called(() => (look.inverted = true)),
    wh: (marks) =>
      called(() => {
        look.across = marks < 2 ? marks + 1 : marks - 1;
        look.down = marks < 3 ? marks : marks - 1;
      }),
    text: (text) =>
      called(() => {
        const width = textWidth(text);
        row.at(-1)?.pieces.push({ text, at: position, width, look: { ...look } });
        position += width * look.across;
      }),
    lf: lineFeed,
    vrlf: lineFeed,
    cut: () => called(() => rows.push({ kind: 'cut' })),
    qrcode: ({ data, cell, level }) => called(() => rows.push({ kind: 'qr', text: data, cell, level })),
    command: (name) => called(() => rows.push({ kind: 'picture', name })),
  };
}

function textRow(row: readonly Column[], columns: number): PaperRow {
  const pieces = row.flatMap((column, index) => {
    const align = alignOf(column, (row[index + 1]?.start ?? columns + 1) - 1);
    return column.pieces.filter(isSeen).map((piece): TextPiece => ({ ...piece, align }));
  });
  return { kind: 'text', pieces, height: Math.max(1, ...pieces.map(({ look }) => look.down)) };
}

/**
 * Infers a column's alignment from the space around its text. receiptline reports only the space before a text, so the
 * space after it is computed. A text that fills its column is right-aligned like an amount, but left-aligned in the
 * row's first column.
 */
function alignOf({ start, margin, pieces }: Column, end: number): TextPiece['align'] {
  const used = pieces.reduce((sum, { width, look }) => sum + width * look.across, 0);
  const behind = end - start - used - margin;
  if (margin === 0) return start > 0 && behind < 1 ? 'right' : 'left';
  return behind < 1 ? 'right' : 'centre';
}

function isSeen({ text, look }: Pick<TextPiece, 'text' | 'look'>): boolean {
  return look.inverted || look.underlined || text.trim() !== '';
}

/** Renders a receipt in characters of one size: large letters become normal ones, a QR code becomes its text. */
export function paperAsText({ columns, rows }: ReceiptPaper): string {
  return rows.map((row) => lineOf(row, columns)).join('');
}

function lineOf(row: PaperRow, columns: number): string {
  switch (row.kind) {
    case 'rule':
      return `${'-'.repeat(columns)}\n`;
    case 'qr':
      return `${row.text}\n`;
    case 'text':
      return `${row.pieces.reduce(withPiece, '').trimEnd().replaceAll('\u00a0', ' ')}\n`;
    case 'cut':
    case 'picture':
      return '';
  }
}

/**
 * Appends a piece to the line in letters of normal size. The text stays at the start, middle or end of the width that
 * its large letters had.
 */
function withPiece(line: string, { at, align, width, look, text }: TextPiece): string {
  const words = text.trim();
  const spare = width * look.across - textWidth(words);
  // A text that begins with a space is a banner, which spaces pad on both sides.
  const share = text.startsWith(' ') ? 0.5 : { left: 0, centre: 0.5, right: 1 }[align];
  const start = Math.round(at + spare * share);
  return line.padEnd(line.length + Math.max(0, start - textWidth(line))) + words;
}
