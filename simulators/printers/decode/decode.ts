import type { PaperFormat, PrinterProfile } from '#printing/paper/printer-profile.ts';
import { decodeEscPos } from '#printing/testing/decode/decode-escpos.ts';
import { decodePng } from '#printing/testing/decode/decode-png.ts';
import { decodeStar, decodeStarRaster } from '#printing/testing/decode/decode-star.ts';
import { commandsOfEpos, commandsOfWebPrnt } from '#printing/testing/decode/decode-xml.ts';
import type { Sheet } from '#printing/testing/decode/sheet.ts';
import type { Maker } from '#printing/testing/decode/tables.ts';

const makers: Record<string, Exclude<Maker, 'star'>> = { Epson: 'epson', Citizen: 'citizen', Bixolon: 'bixolon' };

/** What a printer of this profile prints. Text has no rows of its own and is not for printers' decoders. */
export async function decode(
  bytes: Buffer,
  format: Exclude<PaperFormat, 'text'>,
  { brand, dots }: Pick<PrinterProfile, 'brand' | 'dots'>,
  isForgiving = false,
): Promise<Sheet> {
  switch (format) {
    case 'escpos':
      return decodeEscPos(bytes, dots, makers[brand] ?? 'generic', isForgiving);
    case 'starprnt':
    case 'star_line':
      return decodeStar(bytes, dots, isForgiving);
    case 'star_raster':
      return decodeStarRaster(bytes, dots);
    case 'epos_xml':
      return decodeEscPos(commandsOfEpos(bytes.toString()), dots, 'epson', isForgiving);
    case 'webprnt_xml':
      return decodeStar(commandsOfWebPrnt(bytes.toString()), dots, isForgiving);
    case 'png':
      return decodePng(bytes);
  }
}
