import {
  cleanReceiptText,
  escapeReceiptText,
  hasNoPrintableCharacter,
  textWidth,
  wrapText,
  wrapTypedText,
} from '#printing/receipt/text.ts';

/** The character sizes, each with receiptline's mark and the width of one character in columns. */
const sizes = {
  normal: { mark: '', width: 1 },
  tall: { mark: '^^', width: 1 },
  double: { mark: '^^^', width: 2 },
  triple: { mark: '^^^^', width: 3 },
  quadruple: { mark: '^^^^^', width: 4 },
  sextuple: { mark: '^^^^^^^', width: 6 },
} as const;
export type CharacterSize = keyof typeof sizes;

export interface TextStyle {
  size?: CharacterSize;
  bold?: boolean;
  underlined?: boolean;
  inverted?: boolean;
  /** Whether a person typed the text, so that its line breaks stay. */
  typed?: boolean;
}

export interface TableCell extends TextStyle {
  text: string;
  align?: 'left' | 'right';
}

export const ruleRow = '-';
export const blankRow = '';

export function centredRows(text: string, columns: number, style: TextStyle = {}): string[] {
  return wrapFor(text, columns, style).map((row) => marked(row, style));
}

export function leftAlignedRows(text: string, columns: number, style: TextStyle = {}): string[] {
  return wrapFor(text, columns, style).map((row) => `|${marked(row, style)}`);
}

/**
 * A white-on-black banner across the paper, in the first `wanted` size in which no line wraps, or else in the last
 * `wanted` size.
 */
export function bannerRows(
  text: string,
  columns: number,
  wanted: readonly [CharacterSize, ...CharacterSize[]],
): string[] {
  const width = Math.max(...wrapTypedText(text, Infinity).map(textWidth)) + 2;
  const isFit = (size: CharacterSize) => columns % sizes[size].width === 0 && width * sizes[size].width <= columns;
  const size = wanted.find(isFit) ?? wanted.at(-1) ?? wanted[0];
  const room = Math.floor(columns / sizes[size].width);
  return wrapTypedText(text, room - 2).map((row) => {
    const space = room - textWidth(row);
    const left = Math.floor(space / 2);
    const padded = '~'.repeat(left) + escapeReceiptText(row) + '~'.repeat(space - left);
    return `|${wrapMarks(padded, { size, bold: true, inverted: true })}`;
  });
}

/** The maximum length of a QR code's text; longer texts make squares so small that a thermal printer blurs them. */
const longestCode = 600;

/** A centred QR code of a URL, with squares of 4 dots; empty if the URL is too long to scan. */
export function qrCode(address: string): string[] {
  const text = encodeMarkup(address);
  return text.length > longestCode ? [] : [`{code:${text};option:qrcode,4,m}`];
}

/** A row with a centred picture; the encoder inserts the file of this name. */
export function pictureRows(name: 'logo'): string[] {
  return [`{command:${name}}`];
}

/**
 * The rows of a table. `widths` are in characters, with one empty column between cells; a width of 0 gets the remaining
 * width.
 */
export function tableRows(
  rows: readonly (readonly TableCell[])[],
  widths: readonly number[],
  columns: number,
): string[] {
  if (rows.length === 0) return [];
  const rest = columns - widths.reduce((sum, width) => sum + width, 0) - (widths.length - 1);
  const lines = rows.flatMap((cells) =>
    tableRow(
      cells,
      widths.map((width) => width || rest),
    ),
  );
  return [`{width:${widths.map((width) => width || '*').join(' ')}}`, ...lines, '{width:auto}'];
}

/** A table of labels and values, with a rule below. A label without a value is left out. */
export function detailTable(rows: readonly (readonly [string, string])[], columns: number): string[] {
  const filled = rows
    .filter(([, text]) => !hasNoPrintableCharacter(text))
    .map(([label, text]) => [{ text: label }, { text, bold: true }]);
  return filled.length === 0 ? [] : [...tableRows(filled, [9, 0], columns), ruleRow];
}

/** The first `wanted` size in which the text fits one row, or else the last `wanted` size. */
export function largestFittingSize(
  text: string,
  columns: number,
  wanted: readonly [CharacterSize, ...CharacterSize[]],
): CharacterSize {
  const width = textWidth(cleanReceiptText(text));
  return wanted.find((size) => width * sizes[size].width <= columns) ?? wanted.at(-1) ?? wanted[0];
}

/** Percent-encodes the characters of a URL that would end a receiptline property. */
function encodeMarkup(address: string): string {
  return address.replace(/[^\x21-\x7e]|[\\;{}|`"^<>]/gu, encodeURIComponent);
}

function tableRow(cells: readonly TableCell[], widths: readonly number[]): string[] {
  const columns = cells.map((cell, index) => wrapFor(cell.text, widths[index] ?? 1, cell));
  const height = Math.max(...columns.map((rows) => rows.length));
  return Array.from({ length: height }, (_, row) =>
    cells
      .map((cell, index) => {
        const text = columns[index]?.[row];
        const content = text === undefined ? '' : marked(text, cell);
        return cell.align === 'right' ? `| ${content}` : `|${content} `;
      })
      .concat('|')
      .join(''),
  );
}

function wrapFor(text: string, columns: number, style: TextStyle): string[] {
  const wrap = style.typed ? wrapTypedText : wrapText;
  return wrap(text, Math.max(2, Math.floor(columns / sizes[style.size ?? 'normal'].width)));
}

function marked(text: string, style: TextStyle): string {
  return text === '' ? '' : wrapMarks(escapeReceiptText(text), style);
}

function wrapMarks(escaped: string, { size = 'normal', bold, underlined, inverted }: TextStyle): string {
  const marks = sizes[size].mark + (bold ? '"' : '') + (underlined ? '_' : '') + (inverted ? '`' : '');
  return marks + escaped + Array.from(marks).toReversed().join('');
}
