/** A receipt as rows, as every form of it is made from. Positions and widths are in columns of normal characters. */
export interface Paper {
  columns: number;
  rows: PaperRow[];
}

export type PaperRow =
  | TextRow
  /** A line across the paper. */
  | { kind: 'rule' }
  | { kind: 'cut' }
  /** A QR code in the middle; `cell` is the side of one of its squares, in dots. */
  | { kind: 'qr'; text: string; cell: number; level: QrLevel }
  /** A picture that is not part of the source, in the middle. */
  | { kind: 'picture'; name: string };

export interface TextRow {
  kind: 'text';
  pieces: Piece[];
  /** Of the tallest piece, in normal characters. */
  height: number;
}

/** Text of one look. It stands on the row's bottom. */
export interface Piece {
  text: string;
  /** May be half a column. */
  at: number;
  /** Columns of the text in its own size: an East Asian character takes two. */
  width: number;
  align: 'left' | 'centre' | 'right';
  look: Look;
}

export interface Look {
  bold: boolean;
  underlined: boolean;
  /** White on black. */
  inverted: boolean;
  /** Times as wide and as high as a normal character, 1 to 6. */
  across: number;
  down: number;
}

export type QrLevel = 'l' | 'm' | 'q' | 'h';
