/** A ticket's heights in pixels: `fixed` without its list of dishes, and `list` of the whole list. */
export interface TicketSize {
  fixed: number;
  list: number;
}

export interface ColumnFitInput {
  /** The column's top rows that can fit on a screen. */
  rows: readonly (readonly TicketSize[])[];
  /** Whether `rows` has all rows of the column. */
  isAll: boolean;
  /** The height of the column's visible area. */
  room: number;
  gap: number;
  /** The minimum height of a list. */
  least: number;
}

/**
 * The common height of a column's lists; Infinity if all lists fit. The screen shows as many rows as fit if each list
 * has only the height `least`. The lists of these rows share the spare height.
 */
export function commonListHeight({ rows, isAll, room, gap, least }: ColumnFitInput): number {
  const heightOf = (count: number, list: number): number =>
    rows.slice(0, count).reduce((sum, row) => sum + rowHeight(row, list) + gap, -gap);
  let whole = rows.length;
  while (whole > 0 && heightOf(whole, least) > room) whole -= 1;
  if (whole === 0) return least;
  const longest = Math.max(least, ...rows.slice(0, whole).flatMap((row) => row.map(({ list }) => list)));
  if (heightOf(whole, longest) <= room) return isAll && whole === rows.length ? Infinity : longest;
  let fits = least;
  for (let step = 4096; step >= 1; step /= 2) if (heightOf(whole, fits + step) <= room) fits += step;
  return fits;
}

function rowHeight(row: readonly TicketSize[], list: number): number {
  return Math.max(...row.map((ticket) => ticket.fixed + Math.min(ticket.list, list)));
}

export interface ListCutInput {
  /** The height of the whole list. */
  whole: number;
  /** The height that the screen has for the list. */
  room: number;
  /** The height of the text below a cut list. */
  rest: number;
  /** The height of a line of text. */
  line: number;
  /** The bottom edges of dishes and of note lines, measured from the list's top. */
  ends: readonly number[];
}

/** The height at which to cut a list, with room for the text below; null: it fits. */
export function listCutHeight({ whole, room, rest, line, ends }: ListCutInput): number | null {
  // A list may exceed the room by half a pixel, because screens round heights.
  if (whole <= room + 0.5) return null;
  const fitting = ends.filter((end) => end <= room - rest);
  // A dish higher than the room is cut between two lines.
  return fitting.at(-1) ?? Math.floor((room - rest) / line) * line;
}

/** The bottom edges of the lines that these text pieces form. Pieces beside each other form one line. */
export function lineBottoms(pieces: readonly { top: number; bottom: number }[]): number[] {
  const ends: number[] = [];
  let until = -Infinity;
  for (const { top, bottom } of pieces.toSorted((a, b) => a.top - b.top)) {
    // Letters of two lines may touch, but never reach each other's middle.
    const isBeside = (top + bottom) / 2 < until;
    if (isBeside) ends[ends.length - 1] = Math.max(ends.at(-1) ?? bottom, bottom);
    else ends.push(bottom);
    until = ends.at(-1) ?? bottom;
  }
  return ends;
}

/** A ticket's box on the screen, in pixels. */
export interface TicketBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The tickets that took another ticket's place, moved aside or changed their width. A finger that aims at another
 * ticket could hit them.
 */
export function displacedTickets(
  before: ReadonlyMap<string, TicketBox>,
  after: ReadonlyMap<string, TicketBox>,
): string[] {
  const old = [...before];
  return [...after].flatMap(([id, box]) => {
    const own = before.get(id);
    if (own && own.x === box.x && own.y === box.y && own.width === box.width) return [];
    const isMovedAside = own !== undefined && (own.x !== box.x || own.width !== box.width);
    return isMovedAside || old.some(([other, was]) => other !== id && overlap(was, box)) ? [id] : [];
  });
}

function overlap(a: TicketBox, b: TicketBox): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
