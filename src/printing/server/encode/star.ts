import type { PrinterProfile } from '#printing/paper/printer-profile.ts';
import { band, type Bitmap, blankBitmap, bytesAcross, stacked } from '#printing/server/encode/bitmap.ts';
import { byte, bytes, type Dialect, inBands, type JobOptions, word } from '#printing/server/encode/commands.ts';

const pulse = '\x07';

export const starPrnt: Dialect = {
  openDrawer: pulse,
  start: (profile, options) =>
    [
      signals(profile, options),
      '\x1b@',
      // The letters of the USA: in the set of the UK a # prints as £.
      '\x1bR\x00',
      '\x1b\x1eF\x00',
      '\x1b \x00',
      '\x1b\x1da\x00',
      // Rows of 24 dots, so that pictures and banners join.
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
  // Feeds to the blade and cuts; without a blade feeds to where the paper is torn.
  cut: ({ cut }) => ({ none: '\x1ba\x04', full: '\x1bd\x02', partial: '\x1bd\x03' })[cut],
};

/** Star Line Mode of older printers, which print pictures in strips of 24 dots. */
export const starLine: Dialect = { ...starPrnt, picture: strips };

/** Star's raster mode, for printers that have no letters: the whole paper as one picture. */
export function toStarRaster(bitmap: Bitmap, profile: PrinterProfile, options: JobOptions): Buffer {
  const row = bytes(`b${word(bytesAcross(bitmap.width))}`);
  // Pages of any length; the form feed cuts, and the end of the raster mode does nothing more.
  const start = `\x1b*rA\x1b*rP0\x00\x1b*rF${formFeedModes[profile.cut]}\x00\x1b*rE1\x00`;
  const parts: Uint8Array[] = [bytes(signals(profile, options) + start)];
  for (let top = 0; top < bitmap.height; top += 1) parts.push(row, band(bitmap, top, 1).bits);
  parts.push(bytes('\x1b\x0c\x00\x1b*rB'));
  return Buffer.concat(parts);
}

/** To the tear bar, or to the blade and cut. */
const formFeedModes: Record<PrinterProfile['cut'], string> = { none: '3', full: '9', partial: '13' };

/** The drawer's and the buzzer's pulses, which the printer gives at once. */
function signals({ drawer, buzzer }: PrinterProfile, { opensDrawer, sounds }: JobOptions): string {
  // Twice 200 ms, with 200 ms between.
  const twice = '\x1b\x1d\x19\x11\x01\x0a\x0a\x1b\x1d\x19\x12\x01\x02\x00';
  return (opensDrawer && drawer ? pulse : '') + (sounds && buzzer === 'star' ? twice : '');
}

const stripHeight = 24;

function strips(bitmap: Bitmap): Uint8Array[] {
  const rest = (stripHeight - (bitmap.height % stripHeight)) % stripHeight;
  const above = Math.floor(rest / 2);
  const blank = (height: number) => blankBitmap(bitmap.width, height);
  const whole = stacked([blank(above), bitmap, blank(rest - above)], bitmap.width);
  const command = bytes(`\x1bk${word(bytesAcross(whole.width))}`);
  const parts: Uint8Array[] = [];
  for (let top = 0; top < whole.height; top += stripHeight) {
    parts.push(command, band(whole, top, stripHeight).bits, bytes('\n'));
  }
  return parts;
}
