import type { PaperFormat, PrinterProfile } from '#printing/paper/printer-profile.ts';
import { toPng } from '#printing/server/draw/drawing.ts';
import {
  byte,
  bytes as commandBytes,
  type Dialect,
  inBands,
  type JobOptions,
  toBytes,
  word,
} from '#printing/server/encode/commands.ts';
import type { Paper } from '#printing/server/encode/paper.ts';
import { paintPaper, type Pictures, type PreparedRow, prepareRows } from '#printing/server/encode/prepare.ts';
import { readPaper } from '#printing/server/encode/read-paper.ts';
import { starLine, starPrnt, toStarRaster } from '#printing/server/encode/star.ts';
import { toText } from '#printing/server/encode/text.ts';
import type { Bitmap } from '#printing/server/encode/bitmap.ts';

/** 50 ms on the first of two drawers, which then rests for half a second. */
const pulse = `\x1bp\x00${byte(25, 250)}`;

/** ESC/POS, in the part that Epson and its imitators share. */
export const escPos: Dialect = {
  openDrawer: pulse,
  start: ({ leaves_kanji: leavesKanji, buzzer, drawer }, { opensDrawer, sounds }) =>
    [
      '\x1b@',
      leavesKanji ? '\x1c.' : '',
      // The letters of the USA: in the set of the UK a # prints as £.
      '\x1bR\x00',
      '\x1bM\x00',
      '\x1b \x00',
      '\x1ba\x00',
      // Rows as high as their letters, so that pictures and banners join.
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
  // Feeds to the blade and cuts; without a blade feeds to where the paper is torn.
  cut: ({ cut }) => ({ none: '\x1b2\x1bd\x04\x1b3\x00', full: '\x1dVA\x00', partial: '\x1dVB\x00' })[cut],
};

/** Two beeps. */
const beep: Record<PrinterProfile['buzzer'], string> = {
  epson: '\x1b(A\x04\x0003\x02\x0a',
  generic: '\x1bB\x02\x03',
  star: '',
  none: '',
};

const dle = 0x10;
/** The bytes that make a real-time command of DLE: EOT asks, ENQ recovers, DC4 opens the drawer or switches off. */
const realTime: ReadonlySet<number> = new Set([0x04, 0x05, 0x14]);

/**
 * The picture with one dot more wherever its bytes would be a real-time command, which printers obey amidst a picture too. A
 * dot is an eighth of a millimetre; the command that would forbid it is Epson's only.
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
  /** One of the profile's formats; without it its first. */
  format?: PaperFormat;
  /** The pictures that the source names, as files of any usual kind; one that is not given is left out. */
  pictures?: Pictures;
}

/** A receipt as a printer takes it. */
export interface Encoded {
  bytes: Buffer;
  mediaType: string;
  /** Characters that are boxes on the paper, because no font has them. */
  missing: string[];
}

export const mediaTypes: Record<PaperFormat, string> = {
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
 * A receiptline source in the form that a printer of this profile takes. The source's texts are data: only `options`
 * can open the drawer or beep, where the form and the printer can. Throws for a format that the profile does not name.
 */
export async function encodeReceipt(
  source: string,
  profile: PrinterProfile,
  options: EncodeOptions = {},
): Promise<Encoded> {
  return encodePaper(readPaper(source, profile.columns), profile, options);
}

/** The same of a paper that was read already; `below` are rows for a printer's own letters, for nothing else. */
export async function encodePaper(
  paper: Paper,
  profile: PrinterProfile,
  options: EncodeOptions = {},
  below: readonly PreparedRow[] = [],
): Promise<Encoded> {
  const format = formatOf(profile, options);
  const { dots, code_pages: pages } = profile;
  const language = languageOf(profile, format);
  const mediaType = mediaTypes[format];
  if (language) {
    const { rows, missing } = await prepareRows(paper, dots, pages, options.pictures);
    const bytes = toBytes([...rows, ...below], dialects[language], profile, options);
    return { bytes: wrapped(bytes, format), mediaType, missing };
  }
  if (format === 'text') return { bytes: Buffer.from(toText(paper)), mediaType, missing: [] };
  const { bitmap, missing } = await paintPaper(paper, dots, options.pictures);
  const bytes = format === 'png' ? await toPng(bitmap) : toStarRaster(bitmap, profile, options);
  return { bytes, mediaType, missing };
}

/** The pulse that opens the cash drawer and prints nothing. Throws for a printer or a form that cannot. */
export function encodeDrawerPulse(profile: PrinterProfile, options: Pick<EncodeOptions, 'format'> = {}): Encoded {
  const format = formatOf(profile, options);
  const language = languageOf(profile, format) ?? (format === 'star_raster' ? 'starprnt' : null);
  if (!language || !profile.drawer) throw new Error(`${profile.id} opens no drawer by ${format}`);
  return {
    bytes: wrapped(commandBytes(dialects[language].openDrawer), format),
    mediaType: mediaTypes[format],
    missing: [],
  };
}

function formatOf(profile: PrinterProfile, options: Pick<EncodeOptions, 'format'>): PaperFormat {
  const format = options.format ?? profile.formats[0];
  if (!profile.formats.includes(format)) throw new Error(`${profile.id} does not take ${format}`);
  return format;
}

const dialects = { escpos: escPos, starprnt: starPrnt, star_line: starLine };

/** The commands that a form consists of or carries; null for one that is a picture or text. */
function languageOf(profile: PrinterProfile, format: PaperFormat): keyof typeof dialects | null {
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
 * ePOS-Print and WebPRNT carry the printer's own commands, so that the paper is the same as over the network; their own
 * text elements would leave the tables to the printer.
 */
function wrapped(bytes: Buffer, format: PaperFormat): Buffer {
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
