import type { PaperFormat, PrinterProfile } from '#printing/paper/profiles.ts';
import { toPng } from '#printing/server/draw/drawing.ts';
import { type JobOptions, toBytes } from '#printing/server/encode/commands.ts';
import { escPos } from '#printing/server/encode/escpos.ts';
import type { Paper } from '#printing/server/encode/paper.ts';
import { paintPaper, type Pictures, prepareRows } from '#printing/server/encode/prepare.ts';
import { readPaper } from '#printing/server/encode/read-paper.ts';
import { starLine, starPrnt, toStarRaster } from '#printing/server/encode/star.ts';
import { toText } from '#printing/server/encode/text.ts';

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
 * A receiptline source in the form that a printer of this profile takes. What the source says is data: only `options`
 * can open the drawer or beep, where the form and the printer can. Throws for a format that the profile does not name.
 */
export async function encodeReceipt(
  source: string,
  profile: PrinterProfile,
  options: EncodeOptions = {},
): Promise<Encoded> {
  return encodePaper(readPaper(source, profile.columns), profile, options);
}

export async function encodePaper(
  paper: Paper,
  profile: PrinterProfile,
  options: EncodeOptions = {},
): Promise<Encoded> {
  const format = options.format ?? profile.formats[0];
  if (!profile.formats.includes(format)) throw new Error(`${profile.id} does not take ${format}`);
  const { bytes, missing } = await encoded(paper, profile, format, options);
  return { bytes, mediaType: mediaTypes[format], missing };
}

async function encoded(
  paper: Paper,
  profile: PrinterProfile,
  format: PaperFormat,
  options: EncodeOptions,
): Promise<{ bytes: Buffer; missing: string[] }> {
  const { dots, code_pages: pages } = profile;
  switch (format) {
    case 'escpos':
    case 'starprnt':
    case 'star_line': {
      const { rows, missing } = await prepareRows(paper, dots, pages, options.pictures);
      return { bytes: toBytes(rows, dialects[format], profile, options), missing };
    }
    case 'star_raster': {
      const { bitmap, missing } = await paintPaper(paper, dots, options.pictures);
      return { bytes: toStarRaster(bitmap, profile, options), missing };
    }
    case 'epos_xml': {
      const { bytes, missing } = await encoded(paper, profile, 'escpos', options);
      return { bytes: eposXml(bytes), missing };
    }
    case 'webprnt_xml': {
      const inner = profile.formats.find((each) => each === 'starprnt' || each === 'star_line') ?? 'starprnt';
      const { bytes, missing } = await encoded(paper, profile, inner, options);
      return { bytes: webPrntXml(bytes), missing };
    }
    case 'png': {
      const { bitmap, missing } = await paintPaper(paper, dots, options.pictures);
      return { bytes: await toPng(bitmap), missing };
    }
    case 'text':
      return { bytes: Buffer.from(toText(paper)), missing: [] };
  }
}

const dialects = { escpos: escPos, starprnt: starPrnt, star_line: starLine };

/**
 * An ePOS-Print document. It carries the printer's own commands, so that the paper is the same as over the network; its
 * own text elements would leave the tables to the printer.
 */
function eposXml(bytes: Buffer): Buffer {
  return Buffer.from(
    `<epos-print xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print"><command>${bytes.toString('hex')}</command></epos-print>`,
  );
}

/** A request of Star WebPRNT, which carries the printer's own commands. */
function webPrntXml(bytes: Buffer): Buffer {
  return Buffer.from(`<root><rawdata>${bytes.toString('base64')}</rawdata></root>`);
}
