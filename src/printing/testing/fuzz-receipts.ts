import * as fc from 'fast-check';
import { type PrintJobFormat, type PrinterProfile, findPrinterProfile } from '#printing/paper/profiles.ts';
import { leftAlignedRows } from '#printing/receipt/layout.ts';
import type { ReceiptOrder, ReceiptStore } from '#printing/receipt/order.ts';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import { cleanReceiptText } from '#printing/receipt/text.ts';
import { encodePaper } from '#printing/server/encode/encode-receipt.ts';
import type { ReceiptPaper } from '#printing/server/encode/paper.ts';
import { parseReceiptSource } from '#printing/server/encode/read-paper.ts';
import { comparePaper } from '#printing/testing/compare-sheet.ts';
import { decode } from '#simulators/printers/decode/decode.ts';
import { nastyText } from '#printing/testing/nasty-text.ts';
import { deliveryOrder, printedAt, sampleLine, sampleStore } from '#printing/testing/sample-receipts.ts';

/** How many of somebody's texts are on one receipt. */
export const textsOfReceipt = 20;

export interface Fuzzed {
  texts: number;
  /** Rows that were printed as text, and as pictures. */
  letters: number;
  pictures: number;
  /** Characters that were printed as boxes. */
  boxes: number;
}

/** One receipt of each in turn. */
const turns: [profile: string, width: 58 | 80, format: Exclude<PrintJobFormat, 'text' | 'png'>][] = [
  ['epson-tm-m30', 80, 'escpos'],
  ['xprinter-58', 58, 'escpos'],
  ['star-mc-print', 80, 'starprnt'],
  ['epson-tm-t88', 80, 'epos_xml'],
  ['star-tsp650', 58, 'star_line'],
  ['star-mc-print', 58, 'webprnt_xml'],
  ['citizen', 80, 'escpos'],
  ['star-tsp100', 58, 'star_raster'],
];

/**
 * Prints the receipt number `index` of a run, whose texts follow from `seed`: half of them strange words, half the
 * characters of Unicode in turn. Throws, with the texts, when anything but their letters reaches the printer.
 */
export async function fuzzReceipt(seed: number, index: number): Promise<Fuzzed> {
  const texts = textsOf(seed, index);
  const [id, width, format] = turns[index % turns.length] ?? ['other', 80, 'escpos'];
  const profile = findPrinterProfile(id, width);
  if (!profile) throw new Error(`no profile ${id}`);
  try {
    for (const text of texts) readBack(text, profile.columns);
    return { ...(await print(texts, index, profile, format)), texts: texts.length };
  } catch (error) {
    throw new Error(`Seed ${seed}, receipt ${index}, ${id} by ${format}: ${JSON.stringify(texts)}`, { cause: error });
  }
}

/** The receipts that take all of Unicode. */
export const receiptsOfUnicode = Math.ceil(0x11_0000 / (16 * (textsOfReceipt / 2)));

function textsOf(seed: number, index: number): string[] {
  const half = textsOfReceipt / 2;
  const strange = fc.sample(nastyText, { seed: seed + index, numRuns: half });
  const inTurn = Array.from({ length: half }, (_, at) => {
    const first = ((index % receiptsOfUnicode) * half + at) * 16;
    return Array.from({ length: 16 }, (_, offset) => Math.min(first + offset, 0x10_ffff))
      .map((code) => String.fromCodePoint(code))
      .join('');
  });
  return strange.flatMap((text, at) => [text, inTurn[at] ?? '']);
}

/** A text's letters, and nothing else, are on the paper that its source is read as. */
function readBack(text: string, columns: number): void {
  const { rows } = parseReceiptSource(leftAlignedRows(text, columns, { size: 'tall', bold: true }).join('\n'), columns);
  const read = rows.map((row) => {
    if (row.kind !== 'text') throw new Error(`${JSON.stringify(text)} is a ${row.kind}.`);
    if (row.pieces.some(({ look }) => !look.bold || look.inverted || look.underlined || look.down !== 2)) {
      throw new Error(`${JSON.stringify(text)} changes how it looks.`);
    }
    return row.pieces.map((piece) => piece.text).join('');
  });
  if (lettersOf(read.join('')) !== lettersOf(cleanReceiptText(text))) {
    throw new Error(`${JSON.stringify(text)} reads ${JSON.stringify(read)}.`);
  }
}

async function print(
  texts: readonly string[],
  index: number,
  profile: PrinterProfile,
  format: Exclude<PrintJobFormat, 'text' | 'png'>,
): Promise<Omit<Fuzzed, 'texts'>> {
  const make = index % 2 === 0 ? kitchenReceipt : customerReceipt;
  const source = make(orderOf(texts), storeOf(texts), {
    printedAt,
    columns: profile.columns,
    duplicate: true,
  });
  const paper = parseReceiptSource(source, profile.columns);
  compareCodes(paper, texts);
  const { bytes, missing } = await encodePaper(paper, profile, { format });
  const sheet = await decode(bytes, format, profile);
  const { cuts, drawer, buzzer } = sheet;
  if (cuts !== Number(profile.cut !== 'none') || drawer !== 0 || buzzer !== 0) {
    throw new Error(`${cuts} cuts, ${drawer} pulses of the drawer, ${buzzer} of the buzzer.`);
  }
  // Without a blade the paper is fed by four empty rows.
  if (profile.cut === 'none' && sheet.rows.splice(-4).some(({ kind, height }) => kind !== 'text' || height !== 30)) {
    throw new Error('The last rows are not empty.');
  }
  return { ...comparePaper(paper, sheet), boxes: missing.length };
}

/** The way to the customer leads to the address and nowhere else. */
function compareCodes(
  { rows }: ReceiptPaper,
  [, , , line1 = '', line2 = '', city = '', postcode = '']: readonly string[],
): void {
  const address = [line1, line2, city, postcode.toUpperCase()].map(cleanReceiptText).filter((part) => part !== '');
  for (const row of rows) {
    if (row.kind !== 'qr') continue;
    const { origin, pathname, searchParams } = new URL(row.text);
    const found = JSON.stringify([origin + pathname, Object.fromEntries(searchParams)]);
    const destination = address.join(', ');
    if (found !== JSON.stringify(['https://www.google.com/maps/dir/', { api: '1', destination }])) {
      throw new Error(`The code leads to ${row.text}.`);
    }
  }
}

function orderOf(texts: readonly string[]): ReceiptOrder {
  const [number = '', name = '', phone = '', line1 = '', line2 = '', city = '', postcode = ''] = texts;
  const [instructions = '', note = '', allergyNote = ''] = texts.slice(7);
  return {
    ...deliveryOrder,
    number,
    contact: { name, phone },
    address: { line1, line2, city, postcode, instructions },
    note,
    allergy_note: allergyNote,
    ...dishesOf(texts.slice(10)),
  };
}

function dishesOf([item = '', kitchenName = '', lineNote = '', option = '', discount = '', fee = '']: string[]) {
  return {
    lines: [
      sampleLine({
        name: item,
        kitchen_name: kitchenName,
        note: lineNote,
        options: [
          [option, 1],
          [item, 2],
        ],
      }),
      sampleLine({ name: item, quantity: 3, allergens: null }),
    ],
    removed: [
      {
        line_id: 'gone',
        quantity: 2,
        name: item,
        kitchen_name: kitchenName,
        options: [{ name: option, quantity: 2 }],
        at: printedAt.toISOString(),
      },
    ],
    discounts: [{ code: 'x', name: discount, amount: 100 }],
    fees: [{ code: 'x', name: fee, amount: 100, vat_rate: 2000 }],
  };
}

function storeOf(texts: readonly string[]): ReceiptStore {
  const [name = '', vatNumber = '', header = '', footer = ''] = texts.slice(16);
  return { ...sampleStore, name, vat_number: vatNumber, receipt_header: header, receipt_footer: footer };
}

function lettersOf(text: string): string {
  return text.replace(/[ \u00a0]/g, '');
}
