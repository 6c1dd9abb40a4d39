import type { PaperFormat, PrinterProfile } from '#printing/paper/profiles.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';

export interface EncodeOptions {
  /** One of the profile's formats; without it its first. */
  format?: PaperFormat;
  /** Opens the cash drawer before printing. */
  opensDrawer?: boolean;
  /** Beeps before printing, if the printer can. */
  sounds?: boolean;
}

/** A receipt as a printer takes it. */
export interface Encoded {
  bytes: Buffer;
  mediaType: string;
  /** Characters that are printed as boxes, because no font has them. */
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
 * A receiptline source in the form that a printer of this profile takes. Everything that the source says is data: only
 * `options` can open the drawer or beep. Throws for a format that the profile does not name.
 */
export async function encodeReceipt(
  source: string,
  profile: PrinterProfile,
  options: EncodeOptions = {},
): Promise<Encoded> {
  const format = options.format ?? profile.formats[0];
  if (!profile.formats.includes(format)) throw new Error(`${profile.id} does not take ${format}`);
  const { columns } = profile;
  switch (format) {
    case 'escpos':
    case 'starprnt':
      return { bytes: renderReceipt(source, { format, columns }), mediaType: mediaTypes[format], missing: [] };
    case 'text':
      return {
        bytes: Buffer.from(renderReceipt(source, { format, columns })),
        mediaType: mediaTypes[format],
        missing: [],
      };
    default:
      throw new Error(`${format} cannot be encoded yet`);
  }
}
