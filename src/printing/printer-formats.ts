import type { PrintJobFormat, PrinterProfile } from '#printing/paper/profiles.ts';
import type { PrinterKind } from '#printing/printer.ts';

/**
 * The formats of the jobs that can be sent to each kind of printer. Printers of the kinds `browser` and `epson_sdp` get
 * XML documents only.
 */
const formatsOf: Record<PrinterKind, readonly PrintJobFormat[]> = {
  star_cloudprnt: ['starprnt', 'star_line', 'star_raster', 'png', 'text'],
  epson_sdp: ['epos_xml'],
  network: ['escpos', 'starprnt', 'star_line', 'star_raster'],
  browser: ['epos_xml', 'webprnt_xml'],
  system: ['escpos', 'starprnt', 'star_line', 'star_raster'],
};

/** The profile's formats in which jobs can be sent to printers of this kind, the best first; empty if there is none. */
export function supportedPrintJobFormats(
  kind: PrinterKind,
  { formats }: Pick<PrinterProfile, 'formats'>,
): PrintJobFormat[] {
  return formats.filter((format) => formatsOf[kind].includes(format));
}
