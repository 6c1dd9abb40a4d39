import type { PaperFormat, PrinterProfile } from '#printing/paper/profiles.ts';
import type { PrinterKind } from '#printing/printer.ts';

/** The forms that can be sent each way. Only documents go from a browser to a printer, and to Epson's poll. */
const formatsOf: Record<PrinterKind, readonly PaperFormat[]> = {
  star_cloudprnt: ['starprnt', 'star_line', 'star_raster', 'png', 'text'],
  epson_sdp: ['epos_xml'],
  network: ['escpos', 'starprnt', 'star_line', 'star_raster'],
  browser: ['epos_xml', 'webprnt_xml'],
  system: ['escpos', 'starprnt', 'star_line', 'star_raster'],
};

/** The forms in which a printer of this profile can be sent a job this way, the best first; none: it cannot be used so. */
export function formatsFor(kind: PrinterKind, { formats }: Pick<PrinterProfile, 'formats'>): PaperFormat[] {
  return formats.filter((format) => formatsOf[kind].includes(format));
}
