/** The heights of a ticket: `fixed` without its list of dishes, `list` of the whole list. */
export interface TicketSize {
  fixed: number;
  list: number;
}

export interface ColumnFitInput {
  /** The rows of a column from its top, no more than fit on a screen. */
  rows: readonly (readonly TicketSize[])[];
  /** Whether the column has no other rows. */
  isAll: boolean;
  /** The height of the visible part, and of the gap between rows. */
  room: number;
  gap: number;
  /** The minimum height of a list. */
  least: number;
}

/**
 * The common height of a column's lists; Infinity if all fit. As many rows are fully visible as with the shortest
 * lists, and the remaining height is divided among the lists.
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
  /** The height of the whole list, and of the part that is on the screen. */
  whole: number;
  room: number;
  /** The height of the text below a cut list, and of a line. */
  rest: number;
  line: number;
  /** The bottoms of dishes and of a note's lines, from the top. */
  ends: readonly number[];
}

/** Where to cut a list, with room for the text below; null if it fits. */
export function listCutHeight({ whole, room, rest, line, ends }: ListCutInput): number | null {
  // A list may be half a pixel too high, because screens round heights.
  if (whole <= room + 0.5) return null;
  const fitting = ends.filter((end) => end <= room - rest);
  // A dish higher than the room is cut between lines.
  return fitting.at(-1) ?? Math.floor((room - rest) / line) * line;
}

/** The bottoms of the lines of these text pieces, from the top. Pieces beside each other are one line. */
export function lineBottoms(pieces: readonly { top: number; bottom: number }[]): number[] {
  const ends: number[] = [];
  let until = -Infinity;
  for (const { top, bottom } of pieces.toSorted((a, b) => a.top - b.top)) {
    // The letters of two lines may touch, but do not reach each other's middle.
    const isBeside = (top + bottom) / 2 < until;
    if (isBeside) ends[ends.length - 1] = Math.max(ends.at(-1) ?? bottom, bottom);
    else ends.push(bottom);
    until = ends.at(-1) ?? bottom;
  }
  return ends;
}

/** Where a ticket stands on the screen, in pixels. */
export interface TicketBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The tickets that are where another ticket was, or that moved aside or changed their width. A finger that aims at
 * another ticket could hit them.
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
