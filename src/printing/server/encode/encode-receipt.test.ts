import { commands, transform } from 'receiptline';
import { afterAll, describe, expect, it } from 'vitest';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import { cleanReceiptText, escapeReceiptText } from '#printing/receipt/text.ts';
import { type PrinterProfile, findPrinterProfile, printerProfiles } from '#printing/paper/profiles.ts';
import { keysOf } from '#platform/keys-of.ts';
import { stopDrawingProcess } from '#printing/server/draw/drawing.ts';
import { encodeDrawerPulse, type EncodeOptions, encodeReceipt } from '#printing/server/encode/encode-receipt.ts';
import { codePageBytes } from '#printing/server/encode/prepare-rows.ts';
import { decode } from '#simulators/printers/decode/decode.ts';
import { decodeEscPos } from '#simulators/printers/decode/decode-escpos.ts';
import { decodeStar } from '#simulators/printers/decode/decode-star.ts';
import { jsQr, readQrCodes } from '#printing/testing/read-qr.ts';
import type { Sheet } from '#simulators/printers/decode/sheet.ts';
import { numbers, type Table, upperHalves } from '#simulators/printers/decode/tables.ts';
import { deliveryOrder, printedAt, sampleStore, scheduledOrder } from '#printing/testing/sample-receipts.ts';

afterAll(stopDrawingProcess);

const epson = profile('epson-tm-m30');
const star = profile('star-mc-print');

function profile(id: string, width = 80): PrinterProfile {
  const found = findPrinterProfile(id, width);
  if (!found) throw new Error(`no profile ${id}`);
  return found;
}

async function print(source: string, on: PrinterProfile, options: EncodeOptions = {}): Promise<Sheet> {
  const format = options.format ?? on.formats[0];
  if (format === 'text') throw new Error('text is read as it is');
  const { bytes } = await encodeReceipt(source, on, { ...options, format });
  return decode(bytes, format, on);
}

function wordsOf(sheet: Sheet): string[] {
  return sheet.rows
    .flatMap((row) => (row.kind === 'text' ? row.spans.map(({ text }) => text.trim()) : []))
    .filter((text) => text !== '');
}

function pictures(sheet: Sheet) {
  return sheet.rows.filter((row) => row.kind === 'picture');
}

/** The bytes that one piece of text comes to. */
async function bytesOf(text: string, on: PrinterProfile): Promise<string> {
  const { bytes } = await encodeReceipt(`|<${escapeReceiptText(text)}>`, on);
  const printed = bytes.toString('latin1');
  return printed.slice(printed.indexOf('<') + 1, printed.lastIndexOf('>'));
}

describe("letters in the printer's own tables", () => {
  const page = { cp437: '\x1bt\x00', cp1252: '\x1bt\x10', cp852: '\x1bt\x12', cp866: '\x1bt\x11', cp737: '\x1bt\x0e' };

  it.each([
    ['plain letters as they are', 'Cod & chips', 'Cod & chips'],
    ['the pound sign', '£9.50', `${page.cp437}\x9c9.50`],
    ['the euro sign', '€5', `${page.cp1252}\x805`],
    ['French and Spanish accents', 'crème jalapeño', `cr${page.cp437}\x8ame jalape\xa4o`],
    ['a times sign and a curly apostrophe', '2× ’nduja', `2${page.cp1252}\xd7 \x92nduja`],
    ['Polish letters', 'żurek', `${page.cp852}\xbeurek`],
    ['Cyrillic letters', 'борщ', `${page.cp866}\xa1\xae\xe0\xe9`],
    ['Greek letters', 'γύρος', `${page.cp737}\x9a\xe7\xa8\xa6\xaa`],
    ['a no-break space as a space', 'a\u00a0b', 'a b'],
  ])('at Epson: %s', async (_, text, bytes) => {
    expect(await bytesOf(text, epson)).toBe(bytes);
  });

  it.each([
    ['the pound sign', '£9.50', '\x1b\x1dt\x01\x9c9.50'],
    ['accents', 'crème', 'cr\x1b\x1dt\x01\x8ame'],
    ['the euro sign', '€5', '\x1b\x1dt\x20\x805'],
  ])('at Star: %s', async (_, text, bytes) => {
    expect(await bytesOf(text, star)).toBe(bytes);
  });

  it('a plain likeness where a sign is lacking, so that every second row is not a picture', async () => {
    const sheet = await print(`|${escapeReceiptText('2× don’t – “no”')}`, profile('other'));
    expect(wordsOf(sheet)).toEqual([`2x don't - "no"`]);
    expect(pictures(sheet)).toEqual([]);
  });

  it('each table has the same letters as in the tables of another source', () => {
    const { katakana: _lines, ...others } = upperHalves;
    for (const table of keysOf(others)) {
      const own = codePageBytes(table);
      const other = [...others[table]];
      for (const [letter, byte] of own) expect([table, letter]).toEqual([table, other[byte - 128]]);
      expect([table, own.size]).toEqual([
        table,
        new Set(other.filter((letter) => !/[\ufffd\p{C}]/u.test(letter))).size,
      ]);
    }
  });

  it("each profile calls its tables as the maker's manual does", () => {
    const makers: Record<string, keyof typeof numbers> = {
      Epson: 'epson',
      Star: 'star',
      Citizen: 'citizen',
      Bixolon: 'bixolon',
    };
    for (const { brand, code_pages: pages } of printerProfiles) {
      const known: Record<number, Table> = numbers[makers[brand] ?? 'generic'];
      for (const { name, number } of pages) expect([brand, number, known[number]]).toEqual([brand, number, name]);
    }
  });
});

describe('every profile and form', () => {
  const cases = printerProfiles.flatMap((each) =>
    each.formats.flatMap((format) => {
      // A picture is the same whatever the model.
      const isSame = format === 'text' || (format === 'png' && each.id !== 'star-mc-print');
      return isSame ? [] : [{ id: each.id, width: each.width_mm, format }];
    }),
  );

  it.each(cases)('prints a whole receipt with one cut: $id on $width mm as $format', async ({ id, width, format }) => {
    const on = profile(id, width);
    const options = { printedAt, columns: on.columns };
    const source = customerReceipt(deliveryOrder, sampleStore, options);
    const sheet = await print(source, on, { format });
    expect([sheet.cuts, sheet.drawer, sheet.buzzer]).toEqual([format === 'png' || on.cut === 'none' ? 0 : 1, 0, 0]);
    const isPicture = format === 'png' || format === 'star_raster';
    expect(plainly(wordsOf(sheet))).toBe(isPicture ? '' : plainly([await textOf(source, on)]));
    expect(pictures(sheet).every(({ width: across }) => across === on.dots)).toBe(true);
  });

  it('uses no command but these', async () => {
    const source = customerReceipt(scheduledOrder, sampleStore, { printedAt });
    const used = async (on: PrinterProfile) =>
      Object.keys((await print(source, on)).commands)
        .toSorted()
        .join(', ');
    expect(await used(epson)).toBe(
      'ESC  , ESC $, ESC -, ESC 3, ESC @, ESC E, ESC M, ESC R, ESC a, ESC t, FS ., GS !, GS B, GS V, GS v',
    );
    expect(await used(star)).toBe(
      'ESC  , ESC -, ESC 0, ESC 5, ESC @, ESC E, ESC F, ESC GS A, ESC GS S, ESC GS a, ESC GS t, ESC R, ESC RS, ESC d, ESC i',
    );
  });

  it('leaves the Kanji mode before the first letter, where a printer may be in it', async () => {
    const { bytes } = await encodeReceipt('Hello', profile('xprinter-80'));
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('\x1b@\x1c.');
  });

  it('opens the drawer and beeps only when told to', async () => {
    for (const on of printerProfiles.filter(({ drawer }) => drawer)) {
      const { drawer, buzzer } = await print('Hello', on, { opensDrawer: true, sounds: true });
      expect([on.id, drawer, buzzer]).toEqual([on.id, 1, on.buzzer === 'none' ? 0 : 1]);
    }
  });

  it('opens the drawer without printing', async () => {
    for (const on of printerProfiles) {
      for (const format of on.formats.filter((each) => each !== 'png' && each !== 'text')) {
        const sheet = await decode(encodeDrawerPulse(on, { format }).bytes, format, on);
        expect([on.id, sheet.drawer, sheet.cuts, sheet.rows]).toEqual([on.id, 1, 0, []]);
      }
    }
    expect(() => encodeDrawerPulse(star, { format: 'png' })).toThrow('star-mc-print opens no drawer by png');
  });

  it('refuses a form that the printer does not take', async () => {
    await expect(encodeReceipt('Hello', epson, { format: 'starprnt' })).rejects.toThrow(
      'epson-tm-m30 does not take starprnt',
    );
  });
});

describe("a foreign encoder's bytes", () => {
  const source = kitchenReceipt(deliveryOrder, sampleStore, { printedAt });
  const foreign = (command: 'generic' | 'starsbcs' | 'starlinesbcs') =>
    Buffer.from(
      transform(source, { cpl: 48, encoding: 'multilingual', spacing: false, command: commands[command] }),
      'latin1',
    );

  it('are read by the decoders, and say what ours say', async () => {
    const ours = plainly(wordsOf(await print(source, profile('xprinter-80'))));
    expect(
      plainly(wordsOf(decodeEscPos(foreign('generic'), 576, 'generic')).map((text) => text.replace(/^─+$/, ''))),
    ).toBe(ours);
    expect(plainly(wordsOf(decodeStar(foreign('starsbcs'), 576)).map((text) => text.replace(/^─+$/, '')))).toBe(ours);
  });
});

describe('what the tables lack', () => {
  const scripts = {
    Greek: 'Ελένη Παπαδοπούλου',
    Cyrillic: 'Олександр Шевченко',
    Arabic: 'محمد عبد الله',
    Hebrew: 'שרה כהן',
    Thai: 'สมชาย ใจดี',
    'Chinese, traditional': '陳大文 龍鳳',
    'Chinese, simplified': '王小明 龙凤',
    Japanese: '田中さくら カタカナ',
    Korean: '김철수 안녕하세요',
    Vietnamese: 'Nguyễn Thị Ngọc',
    emoji: '🥜 👍🏽 🙏',
  };

  it.each(Object.entries(scripts))('%s is drawn, without a box, and only in its rows', async (_, text) => {
    const source = `|Cod and chips\n|${escapeReceiptText(text)}\n|Mushy peas`;
    const plainPrinter = profile('other');
    const { missing } = await encodeReceipt(source, plainPrinter);
    expect(missing).toEqual([]);
    const sheet = await print(source, plainPrinter);
    expect(sheet.rows.map(({ kind }) => kind)).toEqual(['text', 'picture', 'text']);
    expect(wordsOf(sheet)).toEqual(['Cod and chips', 'Mushy peas']);
    const [picture] = pictures(sheet);
    expect(picture).toMatchObject({ width: 576, height: 24 });
    // About as much ink as letters have, and none right of the text.
    const ink = picture?.ink ?? new Uint8Array();
    const share = ink.reduce((sum, dot) => sum + dot, 0) / (24 * 12 * cleanReceiptText(text).length);
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.7);
    const rightmost = Math.max(...Array.from(ink, (dot, at) => (dot === 1 ? at % 576 : 0)));
    expect(rightmost).toBeLessThan(24 * 12 * 2);
  });

  it('a character that no font has is a box, and is named', async () => {
    const { missing } = await encodeReceipt(`|${escapeReceiptText('ᚠᚢᚦ and ᚠ')}`, epson);
    expect(missing).toEqual(['ᚠ', 'ᚢ', 'ᚦ']);
  });

  it('different letters are different pictures', async () => {
    const letters = ['陳', '王', '龍', 'さ', 'サ', '김', '이', 'م', 'ح', 'ش', 'ש', 'כ', 'ก', 'ข', '🥜', '🙏'];
    const source = letters.map((letter) => `|${letter}\n|.`).join('\n');
    const drawn = pictures(await print(source, profile('other'))).map(({ ink }) => Buffer.from(ink).toString('latin1'));
    expect(drawn).toHaveLength(letters.length);
    expect(new Set(drawn).size).toBe(letters.length);
  });

  it('Arabic letters join, and run from the right', async () => {
    const [joined, apart] = pictures(await print('|محمد\n|.\n|م ح م د', profile('other'))).map(({ ink }) =>
      inkAcross(ink, 576),
    );
    // م ح م join each other and د: the ink has no gap but none more than one.
    expect(gaps(joined ?? [])).toBeLessThan(gaps(apart ?? []));
    const [word, reversed] = pictures(await print('|محمد علي\n|.\n|علي محمد', profile('other'))).map(({ ink }) =>
      inkAcross(ink, 576),
    );
    expect(word).not.toEqual(reversed);
  });
});

describe('codes', () => {
  const link = 'https://oven.example/orders/01920000-0000-7000-8000-000000000042?utm=%E2%82%AC';

  it.each([
    ['escpos', 'epson-tm-m30', 80],
    ['escpos', 'xprinter-58', 58],
    ['epos_xml', 'epson-tm-t88', 80],
    ['starprnt', 'star-mc-print', 58],
    ['star_line', 'star-tsp650', 80],
    ['star_raster', 'star-tsp100', 80],
    ['webprnt_xml', 'star-mc-print', 80],
    ['png', 'star-mc-print', 80],
  ] as const)('a QR code can be read from the paper: %s of %s on %d mm', async (format, id, width) => {
    const sheet = await print(`{code:${link};option:qrcode,5,m}`, profile(id, width), { format });
    const [picture] = pictures(sheet);
    if (!picture) throw new Error('no picture');
    expect(await readQrCodes(picture)).toEqual([link]);
    expect(jsQr(picture)).toEqual([link]);
  });

  it('take smaller squares rather than fall off the paper', async () => {
    const long = `https://oven.example/${'x'.repeat(300)}`;
    const [picture] = pictures(await print(`{code:${long};option:qrcode,8,m}`, profile('xprinter-58', 58)));
    if (!picture) throw new Error('no picture');
    expect(picture.width).toBe(384);
    expect(await readQrCodes(picture)).toEqual([long]);
  });
});

function inkAcross(ink: Uint8Array, width: number): boolean[] {
  return Array.from({ length: width }, (_, x) => ink.some((dot, at) => dot === 1 && at % width === x));
}

function gaps(across: readonly boolean[]): number {
  return across
    .join('')
    .split('true')
    .filter((between) => between !== '').length;
}

async function textOf(source: string, on: PrinterProfile): Promise<string> {
  const { bytes } = await encodeReceipt(source, { ...on, formats: ['text'] });
  return bytes.toString();
}

/** Letters only: spaces, rules and what is in codes are not told by all forms. */
function plainly(words: readonly string[]): string {
  return words
    .join('')
    .replace(/^https:.*$/gm, '')
    .replace(/-{20,}/g, '')
    .replace(/\s+/g, '')
    .replaceAll('×', 'x')
    .replaceAll('’', "'");
}
