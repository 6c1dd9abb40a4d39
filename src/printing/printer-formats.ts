import type { PaperFormat, PrinterProfile } from '#printing/paper/profiles.ts';
import type { PrinterKind } from '#printing/printer.ts';

/** The formats that each kind of printer can get. Browsers and Epson printers that poll take XML documents only. */
const formatsOf: Record<PrinterKind, readonly PaperFormat[]> = {
  star_cloudprnt: ['starprnt', 'star_line', 'star_raster', 'png', 'text'],
  epson_sdp: ['epos_xml'],
  network: ['escpos', 'starprnt', 'star_line', 'star_raster'],
  browser: ['epos_xml', 'webprnt_xml'],
  system: ['escpos', 'starprnt', 'star_line', 'star_raster'],
};

/** The formats of a profile that a printer of this kind can get, the best first; empty if it can get none. */
export function supportedPaperFormats(kind: PrinterKind, { formats }: Pick<PrinterProfile, 'formats'>): PaperFormat[] {
  return formats.filter((format) => formatsOf[kind].includes(format));
}
