import type { PaperFormat, PrinterProfile } from '#printing/paper/profiles.ts';
import type { PrinterKind } from '#printing/printer.ts';

/** The forms by transport. Browsers and Epson's poll send documents only. */
const formatsOf: Record<PrinterKind, readonly PaperFormat[]> = {
  star_cloudprnt: ['starprnt', 'star_line', 'star_raster', 'png', 'text'],
  epson_sdp: ['epos_xml'],
  network: ['escpos', 'starprnt', 'star_line', 'star_raster'],
  browser: ['epos_xml', 'webprnt_xml'],
  system: ['escpos', 'starprnt', 'star_line', 'star_raster'],
};

/** The forms for a profile by this transport, the best first; none: it cannot be used so. */
export function formatsFor(kind: PrinterKind, { formats }: Pick<PrinterProfile, 'formats'>): PaperFormat[] {
  return formats.filter((format) => formatsOf[kind].includes(format));
}
