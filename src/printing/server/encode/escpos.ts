import type { PrinterProfile } from '#printing/paper/printer-profile.ts';
import type { Bitmap } from '#printing/server/encode/bitmap.ts';
import { byte, type Dialect, inBands, word } from '#printing/server/encode/commands.ts';

/** 50 ms on the first of two drawers, which then rests for half a second. */
const pulse = `\x1bp\x00${byte(25, 250)}`;

/** ESC/POS, in what Epson and its imitators have in common. */
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
/** What makes a real-time command of DLE: EOT asks, ENQ recovers, DC4 opens the drawer or switches off. */
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
