import type { PrinterProfile } from '#printing/paper/printer-profile.ts';
import { band, type Bitmap, bytesAcross } from '#printing/server/encode/bitmap.ts';
import type { Look } from '#printing/server/encode/paper.ts';
import type { Letters, PreparedRow } from '#printing/server/encode/prepare.ts';

/** Commands are strings of which each character is a byte. */
type Command = string;

export interface JobOptions {
  opensDrawer?: boolean;
  sounds?: boolean;
}

/** The commands of one kind of printers for a row. */
export interface Dialect {
  openDrawer: Command;
  start(profile: PrinterProfile, options: JobOptions): Command;
  /** Dots from the left. */
  moveTo(at: number): Command;
  choosePage(page: number): Command;
  /** The commands from the last look to this one; all of them at the start. */
  changeLook(look: Look, last: Look | null): Command;
  /** A picture of the whole width, with the paper's feed. */
  picture(bitmap: Bitmap): Uint8Array[];
  cut(profile: PrinterProfile): Command;
}

/** Rows as bytes that end with one cut. The bytes ask for no answer. */
export function toBytes(
  rows: readonly PreparedRow[],
  dialect: Dialect,
  profile: PrinterProfile,
  options: JobOptions,
): Buffer {
  const parts: Uint8Array[] = [bytes(dialect.start(profile, options))];
  const state: State = { page: null, look: null };
  for (const row of rows) {
    switch (row.kind) {
      case 'letters':
        parts.push(bytes(letters(row.pieces, dialect, state)));
        break;
      case 'picture':
        parts.push(...dialect.picture(row.bitmap));
        break;
      case 'cut':
        parts.push(bytes(dialect.cut(profile)));
        break;
    }
  }
  if (rows.at(-1)?.kind !== 'cut') parts.push(bytes(dialect.cut(profile)));
  return Buffer.concat(parts);
}

/** Bands of a picture, each after its own command: some printers read only the lower byte of a height. */
export function inBands(bitmap: Bitmap, command: (across: number, height: number) => Command): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let top = 0; top < bitmap.height; top += bandHeight) {
    const { height, bits } = band(bitmap, top, bandHeight);
    parts.push(bytes(command(bytesAcross(bitmap.width), height)), bits);
  }
  return parts;
}

export function bytes(command: Command): Buffer {
  return Buffer.from(command, 'latin1');
}

export function byte(...numbers: number[]): Command {
  return String.fromCharCode(...numbers);
}

/** Two bytes, the lower first. */
export function word(number: number): Command {
  return byte(number & 255, number >> 8);
}

const bandHeight = 240;
const plain: Look = { bold: false, underlined: false, inverted: false, across: 1, down: 1 };

interface State {
  page: number | null;
  look: Look | null;
}

function letters(pieces: readonly Letters[], dialect: Dialect, state: State): Command {
  const change = (look: Look) => {
    const command = dialect.changeLook(look, state.look);
    state.look = look;
    return command;
  };
  // Without a letter an empty row has no height.
  if (pieces.length === 0) return `${change(plain)} \n`;
  const commands = pieces.map(({ at, look, parts }) => {
    const place = dialect.moveTo(at) + change(look);
    return place + parts.map(({ page, bytes: own }) => inPage(page, dialect, state) + byte(...own)).join('');
  });
  return `${commands.join('')}\n`;
}

function inPage(page: number | null, dialect: Dialect, state: State): Command {
  if (page === null || page === state.page) return '';
  state.page = page;
  return dialect.choosePage(page);
}
