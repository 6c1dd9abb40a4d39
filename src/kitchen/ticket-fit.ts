/** The height of a ticket without its list of dishes, and of the whole list. */
export interface TicketSize {
  fixed: number;
  list: number;
}

export interface FitInput {
  /** The rows of a column, from its top: as many as might be on the screen. */
  rows: readonly (readonly TicketSize[])[];
  /** Whether the column has no rows but these. */
  isAll: boolean;
  /** The height of the screen's part that shows them, and of the gap between two rows. */
  room: number;
  gap: number;
  /** The height that every list may have in any case. */
  least: number;
}

/**
 * How high the lists of a column may be, the same for all its tickets; Infinity: as high as they are. As many rows are whole on
 * the screen as with the shortest lists, and then nothing is hidden while there is room.
 */
export function listHeight({ rows, isAll, room, gap, least }: FitInput): number {
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

export interface CutInput {
  /** The height of the whole list, and of the part that is on the screen. */
  whole: number;
  room: number;
  /** The height of the words below a cut list, and of a line. */
  rest: number;
  line: number;
  /** Where each dish ends, and each line of a note, from the top. */
  ends: readonly number[];
}

/** Where to cut a list, so that it shows all that has room above the words below; null if all of it is shown. */
export function cutAt({ whole, room, rest, line, ends }: CutInput): number | null {
  // Half a pixel comes from the screen's rounding.
  if (whole <= room + 0.5) return null;
  const fitting = ends.filter((end) => end <= room - rest);
  // A first dish that is higher than all of the room is cut between two of its lines.
  return fitting.at(-1) ?? Math.floor((room - rest) / line) * line;
}

/** Where the lines end that these pieces of text stand in, from the top: pieces beside each other are in one line. */
export function lineEnds(pieces: readonly { top: number; bottom: number }[]): number[] {
  const ends: number[] = [];
  let until = -Infinity;
  for (const { top, bottom } of pieces.toSorted((a, b) => a.top - b.top)) {
    // The letters of two lines may touch, but their middles do not.
    const isBeside = (top + bottom) / 2 < until;
    if (isBeside) ends[ends.length - 1] = Math.max(ends.at(-1) ?? bottom, bottom);
    else ends.push(bottom);
    until = ends.at(-1) ?? bottom;
  }
  return ends;
}

/** Where a ticket stands on the screen, in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The tickets that now stand where another one stood, or in another breadth: a hand on its way would hit them instead. */
export function replaced(before: ReadonlyMap<string, Box>, after: ReadonlyMap<string, Box>): string[] {
  const old = [...before];
  return [...after].flatMap(([id, box]) => {
    const own = before.get(id);
    if (own && own.x === box.x && own.y === box.y && own.width === box.width) return [];
    const isMovedAside = own !== undefined && (own.x !== box.x || own.width !== box.width);
    return isMovedAside || old.some(([other, was]) => other !== id && overlap(was, box)) ? [id] : [];
  });
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
