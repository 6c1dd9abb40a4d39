import { textWidth } from '#printing/receipt/text.ts';
import type { Paper, PaperRow, Piece } from '#printing/server/encode/paper.ts';

/** A receipt in characters of one size: large letters are written together, and a code is the text that it holds. */
export function toText({ columns, rows }: Paper): string {
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

/** The line with a piece added where the start, the middle or the end of its larger letters would be. */
function withPiece(line: string, { at, align, width, look, text }: Piece): string {
  const words = text.trim();
  const spare = width * look.across - textWidth(words);
  // A banner is its words with spaces around them.
  const share = text.startsWith(' ') ? 0.5 : { left: 0, centre: 0.5, right: 1 }[align];
  const start = Math.round(at + spare * share);
  return line.padEnd(line.length + Math.max(0, start - textWidth(line))) + words;
}
