import type { PrintJobFormat, PrinterProfile } from '#printing/paper/profiles.ts';
import { toPng } from '#printing/server/draw/drawing.ts';
import {
  bitmapRows,
  type Bitmap,
  blankBitmap,
  bytesAcross,
  type TextStyle,
  type ReceiptPaper,
  stackBitmaps,
} from '#printing/server/encode/paper.ts';
import {
  type EncodedLetters,
  renderPaperBitmap,
  type Pictures,
  type PreparedRow,
  prepareRows,
} from '#printing/server/encode/prepare-rows.ts';
import { parseReceiptSource, paperAsText } from '#printing/server/encode/read-paper.ts';

/** A string with one byte per character. */
type Command = string;

interface JobOptions {
  opensDrawer?: boolean;
  sounds?: boolean;
}

interface Dialect {
  openDrawer: Command;
  start(profile: PrinterProfile, options: JobOptions): Command;
  /** Moves the print position to `at`, in dots from the left. */
  moveTo(at: number): Command;
  choosePage(page: number): Command;
  /** The commands that change the style from `last` to `look`; if `last` is null, all commands of `look`. */
  changeLook(look: TextStyle, last: TextStyle | null): Command;
  /** Prints a picture of the full paper width, and feeds the paper past it. */
  picture(bitmap: Bitmap): Uint8Array[];
  cut(profile: PrinterProfile): Command;
}

/**
 * Encodes rows, and adds a cut unless the last row is one. None of the commands requests an answer from the printer.
 */
function toBytes(rows: readonly PreparedRow[], dialect: Dialect, profile: PrinterProfile, options: JobOptions): Buffer {
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

/** Splits a picture into bands with a command each, because some printers read only the lower byte of a height. */
function inBands(bitmap: Bitmap, command: (across: number, height: number) => Command): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let top = 0; top < bitmap.height; top += bandHeight) {
    const { height, bits } = bitmapRows(bitmap, top, bandHeight);
    parts.push(bytes(command(bytesAcross(bitmap.width), height)), bits);
  }
  return parts;
}

function bytes(command: Command): Buffer {
  return Buffer.from(command, 'latin1');
}

function byte(...numbers: number[]): Command {
  return String.fromCharCode(...numbers);
}

/** Encodes a number as two bytes, little-endian. */
function word(number: number): Command {
  return byte(number & 255, number >> 8);
}

const bandHeight = 240;
const plain: TextStyle = { bold: false, underlined: false, inverted: false, across: 1, down: 1 };

interface State {
  page: number | null;
  look: TextStyle | null;
}

function letters(pieces: readonly EncodedLetters[], dialect: Dialect, state: State): Command {
  const change = (look: TextStyle) => {
    const command = dialect.changeLook(look, state.look);
    state.look = look;
    return command;
  };
  // An empty row gets a space, without which the row would have no height.
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

const starPulse = '\x07';

const starPrnt: Dialect = {
  openDrawer: starPulse,
  start: (profile, options) =>
    [
      signals(profile, options),
      '\x1b@',
      // Selects the USA character set, because the UK character set prints # as £.
      '\x1bR\x00',
      '\x1b\x1eF\x00',
      '\x1b \x00',
      '\x1b\x1da\x00',
      // Sets a row height of 24 dots, so that no gaps divide pictures and banners.
      '\x1b0',
    ].join(''),
  moveTo: (at) => `\x1b\x1dA${word(at)}`,
  choosePage: (page) => `\x1b\x1dt${byte(page)}`,
  changeLook: (look, last) =>
    [
      look.bold === last?.bold ? '' : look.bold ? '\x1bE' : '\x1bF',
      look.underlined === last?.underlined ? '' : `\x1b-${byte(Number(look.underlined))}`,
      look.inverted === last?.inverted ? '' : look.inverted ? '\x1b4' : '\x1b5',
      look.across === last?.across && look.down === last.down ? '' : `\x1bi${byte(look.down - 1, look.across - 1)}`,
    ].join(''),
  picture: (bitmap) => inBands(bitmap, (across, height) => `\x1b\x1dS\x01${word(across)}${word(height)}\x00`),
  // Feeds the paper to the blade and cuts it; a printer without a blade feeds it to the tear bar.
  cut: ({ cut }) => ({ none: '\x1ba\x04', full: '\x1bd\x02', partial: '\x1bd\x03' })[cut],
};

/** Star Line Mode of older printers, which get pictures in strips of 24 dots. */
const starLine: Dialect = { ...starPrnt, picture: strips };

/** Encodes a paper as one picture in Star's raster mode, for printers that cannot print text. */
function toStarRaster(bitmap: Bitmap, profile: PrinterProfile, options: JobOptions): Buffer {
  const row = bytes(`b${word(bytesAcross(bitmap.width))}`);
  // Pages may have any length in this mode. The form feed makes the cut; leaving the raster mode makes none.
  const start = `\x1b*rA\x1b*rP0\x00\x1b*rF${formFeedModes[profile.cut]}\x00\x1b*rE1\x00`;
  const parts: Uint8Array[] = [bytes(signals(profile, options) + start)];
  for (let top = 0; top < bitmap.height; top += 1) parts.push(row, bitmapRows(bitmap, top, 1).bits);
  parts.push(bytes('\x1b\x0c\x00\x1b*rB'));
  return Buffer.concat(parts);
}

const formFeedModes: Record<PrinterProfile['cut'], string> = { none: '3', full: '9', partial: '13' };

/** The commands that open the drawer and beep, which the printer executes at once. */
function signals({ drawer, buzzer }: PrinterProfile, { opensDrawer, sounds }: JobOptions): string {
  // Two beeps of 200 ms, with 200 ms between.
  const twice = '\x1b\x1d\x19\x11\x01\x0a\x0a\x1b\x1d\x19\x12\x01\x02\x00';
  return (opensDrawer && drawer ? starPulse : '') + (sounds && buzzer === 'star' ? twice : '');
}

const stripHeight = 24;

function strips(bitmap: Bitmap): Uint8Array[] {
  const rest = (stripHeight - (bitmap.height % stripHeight)) % stripHeight;
  const above = Math.floor(rest / 2);
  const blank = (height: number) => blankBitmap(bitmap.width, height);
  const whole = stackBitmaps([blank(above), bitmap, blank(rest - above)], bitmap.width);
  const command = bytes(`\x1bk${word(bytesAcross(whole.width))}`);
  const parts: Uint8Array[] = [];
  for (let top = 0; top < whole.height; top += stripHeight) {
    parts.push(command, bitmapRows(whole, top, stripHeight).bits, bytes('\n'));
  }
  return parts;
}

/** A pulse of 50 ms to the first of two drawers, then a pause of half a second. */
const pulse = `\x1bp\x00${byte(25, 250)}`;

/** The ESC/POS commands that Epson's printers and their imitators share. */
export const escPosDialect: Dialect = {
  openDrawer: pulse,
  start: ({ leaves_kanji: leavesKanji, buzzer, drawer }, { opensDrawer, sounds }) =>
    [
      '\x1b@',
      leavesKanji ? '\x1c.' : '',
      // Selects the USA character set, because the UK character set prints # as £.
      '\x1bR\x00',
      '\x1bM\x00',
      '\x1b \x00',
      '\x1ba\x00',
      // Sets the row height to the height of the letters, so that no gaps divide pictures and banners.
      '\x1b3\x00',
      opensDrawer && drawer ? pulse : '',
      sounds ? beep[buzzer] : '',
    ].join(''),
  moveTo: (at) => `\x1b$${word(at)}`,
  choosePage: (page) => `\x1bt${byte(page)}`,
  changeLook: (look, last) =>
    [
      look.bold === last?.bold ? '' : `\x1bE${byte(Number(look.bold))}`,
      look.underlined === last?.underlined ? '' : `\x1b-${byte(look.underlined ? 2 : 0)}`,
      look.inverted === last?.inverted ? '' : `\x1dB${byte(Number(look.inverted))}`,
      look.across === last?.across && look.down === last.down
        ? ''
        : `\x1d!${byte(((look.across - 1) << 4) | (look.down - 1))}`,
    ].join(''),
  picture: (bitmap) => inBands(withoutRealTime(bitmap), (across, height) => `\x1dv0\x00${word(across)}${word(height)}`),
  // Feeds the paper to the blade and cuts it; a printer without a blade feeds it to the tear bar.
  cut: ({ cut }) => ({ none: '\x1b2\x1bd\x04\x1b3\x00', full: '\x1dVA\x00', partial: '\x1dVB\x00' })[cut],
};

const beep: Record<PrinterProfile['buzzer'], string> = {
  epson: '\x1b(A\x04\x0003\x02\x0a',
  generic: '\x1bB\x02\x03',
  star: '',
  none: '',
};

const dle = 0x10;
/**
 * Bytes that form a real-time command if they follow a DLE. EOT requests the status, ENQ recovers from an error, DC4
 * opens the drawer or switches the printer off.
 */
const realTime: ReadonlySet<number> = new Set([0x04, 0x05, 0x14]);

/**
 * Adds a dot of an eighth of a millimetre wherever the picture's bytes would form a real-time command. Printers execute
 * these even inside pictures, and only Epson has a command that disables them.
 */
function withoutRealTime(bitmap: Bitmap): Bitmap {
  const bits = Uint8Array.from(bitmap.bits);
  for (let at = 1; at < bits.length; at += 1) {
    const own = bits[at] ?? 0;
    if (bits[at - 1] === dle && realTime.has(own)) bits[at] = own | 0x08;
  }
  return { ...bitmap, bits };
}

export interface EncodeOptions extends JobOptions {
  /** A format of the profile; the default is the profile's first. */
  format?: PrintJobFormat;
  /** The source's pictures as files of any usual format; a missing picture is left out. */
  pictures?: Pictures;
}

export interface EncodedPaper {
  bytes: Buffer;
  mediaType: string;
  /** Characters that print as a box, because no font has them. */
  missing: string[];
}

export const mediaTypes: Record<PrintJobFormat, string> = {
  escpos: 'application/octet-stream',
  starprnt: 'application/vnd.star.starprnt',
  star_line: 'application/vnd.star.line',
  star_raster: 'application/vnd.star.raster',
  epos_xml: 'text/xml; charset=utf-8',
  webprnt_xml: 'text/xml; charset=utf-8',
  png: 'image/png',
  text: 'text/plain',
};

/**
 * Encodes a receiptline source for a printer. Text in the source can trigger nothing: only `options` can open the
 * drawer or beep. Throws for a format that the profile lacks.
 */
export async function encodeReceipt(
  source: string,
  profile: PrinterProfile,
  options: EncodeOptions = {},
): Promise<EncodedPaper> {
  return encodePaper(parseReceiptSource(source, profile.columns), profile, options);
}

/** Encodes a parsed paper. `below`: further rows under the paper; formats without character tables leave them out. */
export async function encodePaper(
  paper: ReceiptPaper,
  profile: PrinterProfile,
  options: EncodeOptions = {},
  below: readonly PreparedRow[] = [],
): Promise<EncodedPaper> {
  const format = formatOf(profile, options);
  const { dots, code_pages: pages } = profile;
  const language = languageOf(profile, format);
  const mediaType = mediaTypes[format];
  if (language) {
    const { rows, missing } = await prepareRows(paper, dots, pages, options.pictures);
    const bytes = toBytes([...rows, ...below], dialects[language], profile, options);
    return { bytes: wrapped(bytes, format), mediaType, missing };
  }
  if (format === 'text') return { bytes: Buffer.from(paperAsText(paper)), mediaType, missing: [] };
  const { bitmap, missing } = await renderPaperBitmap(paper, dots, options.pictures);
  const bytes = format === 'png' ? await toPng(bitmap) : toStarRaster(bitmap, profile, options);
  return { bytes, mediaType, missing };
}

/**
 * Encodes the pulse that opens the cash drawer without printing. Throws if the printer or the format cannot open a
 * drawer.
 */
export function encodeDrawerPulse(profile: PrinterProfile, options: Pick<EncodeOptions, 'format'> = {}): EncodedPaper {
  const format = formatOf(profile, options);
  const language = languageOf(profile, format) ?? (format === 'star_raster' ? 'starprnt' : null);
  if (!language || !profile.drawer) throw new Error(`${profile.id} opens no drawer by ${format}`);
  return {
    bytes: wrapped(bytes(dialects[language].openDrawer), format),
    mediaType: mediaTypes[format],
    missing: [],
  };
}

function formatOf(profile: PrinterProfile, options: Pick<EncodeOptions, 'format'>): PrintJobFormat {
  const format = options.format ?? profile.formats[0];
  if (!profile.formats.includes(format)) throw new Error(`${profile.id} does not take ${format}`);
  return format;
}

const dialects = { escpos: escPosDialect, starprnt: starPrnt, star_line: starLine };

/** The command language of a format; null for a picture or text. */
function languageOf(profile: PrinterProfile, format: PrintJobFormat): keyof typeof dialects | null {
  switch (format) {
    case 'escpos':
    case 'starprnt':
    case 'star_line':
      return format;
    case 'epos_xml':
      return 'escpos';
    case 'webprnt_xml':
      return profile.formats.includes('star_line') ? 'star_line' : 'starprnt';
    default:
      return null;
  }
}

/**
 * Wraps commands in ePOS-Print or WebPRNT, so that the paper is the same as by TCP. The text elements of these formats
 * are not used, because the printer would then choose the character tables.
 */
function wrapped(bytes: Buffer, format: PrintJobFormat): Buffer {
  switch (format) {
    case 'epos_xml':
      return Buffer.from(
        `<epos-print xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print"><command>${bytes.toString('hex')}</command></epos-print>`,
      );
    case 'webprnt_xml':
      return Buffer.from(`<root><rawdata>${bytes.toString('base64')}</rawdata></root>`);
    default:
      return bytes;
  }
}
