import { decodeEscPos } from './decode-escpos.ts';
import { decodePng } from './decode-png.ts';
import { decodeStar, decodeStarRaster } from './decode-star.ts';
import { commandsOfEpos, commandsOfWebPrnt } from './decode-xml.ts';
import type { Sheet } from './sheet.ts';
import type { Maker } from './tables.ts';

/** The forms in which jobs reach printers. */
export type PrintJobFormat =
  | 'escpos'
  | 'starprnt'
  | 'star_line'
  | 'star_raster'
  | 'epos_xml'
  | 'webprnt_xml'
  | 'png'
  | 'text';

/** A printer as far as it decides what comes out: its brand has the tables, `dots` are across the paper. */
export interface PrinterKind {
  brand: string;
  dots: number;
}

const makers: Record<string, Exclude<Maker, 'star'>> = { Epson: 'epson', Citizen: 'citizen', Bixolon: 'bixolon' };

/** A job as a printer of this kind prints it. Text has no rows of its own and is not for printers' decoders. */
export async function decode(
  bytes: Buffer,
  format: Exclude<PrintJobFormat, 'text'>,
  { brand, dots }: PrinterKind,
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
