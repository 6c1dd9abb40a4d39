import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { m } from '#messages';
import { readSheets } from '#menu/web/import/read-sheets.ts';

/** A ZIP archive, by hand: `said` is what it says of an entry's size, if that is not the truth. */
function zip(entries: { name: string; text: string | Buffer; said?: number }[]): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, said } of entries) {
    const bytes = Buffer.from(text);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(said ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const head = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, rest, Buffer.from(name)]));
    parts.push(head);
    at += head.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return new Uint8Array(Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), end]));
}

const workbook = (sheet: string | Buffer, said?: number) =>
  zip([
    {
      name: '[Content_Types].xml',
      text: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    },
    {
      name: 'xl/workbook.xml',
      text: '<workbook xmlns:r="r"><sheets><sheet name="Menu" sheetId="1" r:id="rId1"/></sheets></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    },
    { name: 'xl/worksheets/sheet1.xml', text: sheet, ...(said !== undefined && { said }) },
  ]);

const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
const heads = `<row r="1">${cell('A1', 'Name')}${cell('B1', 'Category')}${cell('C1', 'Price')}</row>`;
const row = (number: number, price: string) =>
  `<row r="${number}">${cell(`A${number}`, 'Soup')}${cell(`B${number}`, 'Starters')}${price}</row>`;
const sheet = (rows: string, dimension = '') =>
  `<worksheet>${dimension}<sheetData>${heads}${rows}</sheetData></worksheet>`;

const read = (bytes: Uint8Array<ArrayBuffer>) => readSheets(bytes, 'menu.xlsx');

test('a workbook is read, and the last result of a formula counts', async () => {
  const [{ table }] = await read(workbook(sheet(row(2, '<c r="C2"><f>1+5.5</f><v>6.50</v></c>'))));
  expect(table.rows).toMatchObject([{ number: 2, cells: { name: 'Soup', category: 'Starters', price: '6.50' } }]);
});

describe('what is no menu is refused in words, before it is read', () => {
  const bomb = Buffer.alloc(60 * 1024 * 1024, 0x20);
  const manyCells = Array.from(
    { length: 3_000 },
    (_, line) => `<row r="${line + 2}">${'<c s="1"/>'.repeat(150)}</row>`,
  ).join('');
  test.each<[string, () => Uint8Array<ArrayBuffer>, () => string]>([
    ['a part that becomes sixty megabytes', () => workbook(bomb), m.menu_import_bomb],
    ['one that says it stays small', () => workbook(bomb, 1_000), m.menu_import_bomb],
    [
      'many that are small each',
      () => zip(Array.from({ length: 600 }, (_, index) => ({ name: `xl/${index}.xml`, text: 'x' }))),
      m.menu_import_bomb,
    ],
    ['a cell in the last row of all', () => workbook(sheet(row(1_048_576, ''))), m.menu_import_many_cells],
    [
      'a cell in the last column',
      () => workbook(sheet(`<row r="2">${cell('XFD2', 'x')}</row>`)),
      m.menu_import_many_cells,
    ],
    [
      'a sheet that says it is that large',
      () => workbook(sheet(row(2, ''), '<dimension ref="A1:XFD1048576"/>')),
      m.menu_import_many_cells,
    ],
    [
      'fifty thousand rows',
      () =>
        workbook(
          sheet(Array.from({ length: 50_000 }, (_, line) => row(line + 2, cell(`C${line + 2}`, '1.20'))).join('')),
        ),
      m.menu_import_many_cells,
    ],
    ['half a million cells', () => workbook(sheet(manyCells)), m.menu_import_many_cells],
    ['an archive that is cut off', () => workbook(sheet(row(2, ''))).slice(0, -30), m.menu_import_no_table],
    [
      'a part that cannot be unpacked',
      () => {
        const bytes = workbook(sheet(row(2, '')));
        bytes.fill(0xff, 45, 60);
        return bytes;
      },
      m.menu_import_no_table,
    ],
  ])('%s', async (_name, file, words) => {
    await expect(read(file())).rejects.toThrow(words());
  });

  test('a CSV of millions of cells', async () => {
    const bytes = new TextEncoder().encode(`Name,Category,Price\n${','.repeat(5_000_000)}`);
    await expect(readSheets(bytes, 'menu.csv')).rejects.toThrow(m.menu_import_many_cells());
  });
});
